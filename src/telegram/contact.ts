import { invokeCustomMethod, requestPhoneAccess } from "@telegram-apps/sdk-react";
import { onPageTouch } from "./page-touch.ts";

/** spec §9 */
const STEP_MS = 50;
const TIMEOUT_MS = 5_000;
/** While the client asks the user. */
const PROMPT_TIMEOUT_MS = 60_000;

/**
 * The user's contact (6.9), which Telegram stores some time after the user agreed; null where none comes. Not by the SDK's own
 * function, whose one time-out counts the user's prompt too.
 */
export async function requestContact(): Promise<string | null> {
  if (!requestPhoneAccess.isAvailable()) return null;
  const touch = onPageTouch();
  try {
    const status = await requestPhoneAccess({ timeout: PROMPT_TIMEOUT_MS, abortSignal: touch.signal });
    return status === "sent" ? await pollContact(readContact) : null;
  } catch (error) {
    console.debug("the Telegram client gives no contact", error);
    return null;
  } finally {
    touch.stop();
  }
}

async function readContact(timeoutMs: number): Promise<string | null> {
  try {
    const contact = await invokeCustomMethod("getRequestedContact", {}, { timeout: timeoutMs });
    return typeof contact === "string" && contact !== "" ? contact : null;
  } catch (error) {
    console.debug("Telegram has no contact yet", error);
    return null;
  }
}

/**
 * Asks at once, then after 50 ms, 100 ms and so on (spec §9); null when nothing came within 5 s.
 * @internal
 */
export async function pollContact(read: (timeoutMs: number) => Promise<string | null>): Promise<string | null> {
  const end = Date.now() + TIMEOUT_MS;
  for (let pauseMs = STEP_MS; ; pauseMs += STEP_MS) {
    const contact = await read(end - Date.now());
    if (contact !== null) return contact;
    if (Date.now() + pauseMs >= end) return null;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
