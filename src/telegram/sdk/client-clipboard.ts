import { askingBy } from "./asking.ts";
import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

/** Clients answer at once, or never. */
const LIMIT_MS = 2_000;

/** What launch data tells of where the app was opened: the chat or the person are told by the attachment menu alone. */
export type LaunchPlace = { readonly chat?: unknown; readonly receiver?: unknown } | undefined;

/**
 * The clipboard as the client gives it (6.4): in a press, and to an app opened from the attachment menu alone
 * (https://core.telegram.org/bots/webapps, readTextFromClipboard).
 */
export function clipboardOf(
  client: Client,
  place: LaunchPlace,
): Pick<TelegramClient, "canReadClipboard" | "readClipboard"> {
  const ask = askingBy(client, "clipboard_text_received");
  let asked = 0;
  return {
    canReadClipboard:
      client.can("web_app_read_text_from_clipboard") && (place?.chat !== undefined || place?.receiver !== undefined),
    async readClipboard() {
      asked += 1;
      const req_id = `clipboard-${asked}`;
      const answer = await ask({
        post: () => client.tell("web_app_read_text_from_clipboard", { req_id }),
        isOurs: (payload) => payload.req_id === req_id,
        limitMs: LIMIT_MS,
      });
      return typeof answer === "string" ? null : answer.payload.data?.trim() || null;
    },
  };
}
