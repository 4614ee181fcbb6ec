import { requestWriteAccess as request } from "@telegram-apps/sdk-react";
import { onPageTouch } from "./page-touch.ts";
import type { WriteAccessAnswer } from "./telegram-client.ts";

/** While the client asks the user. */
const PROMPT_TIMEOUT_MS = 60_000;

/** Asks the user whether the bot may write to them (6.9). A bot may not write first to who came by a link. */
export async function requestWriteAccess(): Promise<WriteAccessAnswer> {
  const touch = onPageTouch();
  try {
    const status = await request({ timeout: PROMPT_TIMEOUT_MS, abortSignal: touch.signal });
    return status === "allowed" ? "allowed" : "refused";
  } catch (error) {
    console.debug("the Telegram client gives no answer about messages", error);
    return "unanswered";
  } finally {
    touch.stop();
  }
}
