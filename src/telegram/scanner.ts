import { onTouch } from "./sdk/asking.ts";
import type { Client } from "./sdk/client.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { isVersionAtLeast } from "./sdk/version.ts";

/** `closed` by its owner without a code; `unavailable` where our own camera has to do. */
export type Scan = { readonly text: string } | "closed" | "unavailable";

/** Clients before this one close their scanner without a word. */
const TELLS_OF_CLOSING = "7.7";
/** Clients elsewhere may say that they can scan, and show nothing. */
const PHONES: ReadonlySet<string> = new Set(["ios", "android", "android_x"]);
/** What may stand under its picture. */
const HINT_LENGTH = 64;

/** The client's QR scanner (6.4). One that was touched through has shown nothing: the next press is for our own camera. */
export function scannerOf(
  client: Client,
  { version, platform }: { readonly version: string; readonly platform: string },
): Pick<TelegramClient, "scanQr"> {
  let isDumb = false;
  let open: { readonly give: (scan: Scan) => void; readonly over: AbortController } | null = null;
  const finish = (scan: Scan) => {
    const finished = open;
    open = null;
    finished?.over.abort();
    finished?.give(scan);
  };
  const close = () => client.tell("web_app_close_scan_qr_popup");

  client.on("qr_text_received", ({ data }) => {
    if (open === null || data === undefined || data.trim() === "") return;
    close();
    finish({ text: data });
  });
  client.on("scan_qr_popup_closed", () => finish("closed"));

  return {
    scanQr(hint) {
      finish("closed");
      if (isDumb) return Promise.resolve("unavailable");
      return new Promise((give) => {
        const over = new AbortController();
        open = { give, over };
        onTouch(() => {
          isDumb = isVersionAtLeast(version, TELLS_OF_CLOSING) || !PHONES.has(platform);
          close();
          finish("closed");
        }, over.signal);
        if (!client.tell("web_app_open_scan_qr_popup", { text: hint.slice(0, HINT_LENGTH) })) finish("unavailable");
      });
    },
  };
}
