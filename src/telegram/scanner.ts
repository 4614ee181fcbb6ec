import { qrScanner } from "@telegram-apps/sdk-react";
import { onPageTouch } from "./page-touch.ts";
import type { Scan } from "./telegram-client.ts";

/** Older clients close their scanner without an event. */
const REPORTS_CLOSING = "7.7";
/** Clients elsewhere may claim to scan, and show nothing. */
const PHONES: ReadonlySet<string> = new Set(["ios", "android", "android_x"]);
/** What may stand under the picture. */
const MAX_HINT_LENGTH = 64;

/** The client's QR scanner (6.4). After a client showed nothing, the page uses the camera itself. */
export function createScanner(version: string, platform: string): (hint: string) => Promise<Scan> {
  let isBroken = false;
  return async (hint) => {
    if (isBroken || !qrScanner.open.isAvailable()) return "unavailable";
    const touch = onPageTouch();
    // A touch that reaches the page shows that no scanner lies over it.
    touch.signal.addEventListener("abort", () => {
      isBroken = isVersionAtLeast(version, REPORTS_CLOSING) || !PHONES.has(platform);
      qrScanner.close();
    });
    try {
      const text = await qrScanner.open({
        text: hint.slice(0, MAX_HINT_LENGTH),
        capture: (code: string | undefined) => (code ?? "").trim() !== "",
      });
      return text === undefined ? "closed" : { text };
    } catch (error) {
      console.warn("the Telegram client can't scan", error);
      return "unavailable";
    } finally {
      touch.stop();
    }
  };
}

/** Whether a client's version, such as `7.10`, is this one or later. */
function isVersionAtLeast(version: string, least: string): boolean {
  const [major = NaN, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
