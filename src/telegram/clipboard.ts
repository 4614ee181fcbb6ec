import { canReadClipboard, readClipboardText } from "../shared/browser/clipboard.ts";
import { isTelegram } from "./is-telegram.ts";
import { loadTelegramClient } from "./load-client.ts";

/** Whether a paste button can work. On the web it always does: browsers ask their user. */
export const canPaste = async (): Promise<boolean> =>
  !isTelegram() || (await loadTelegramClient())?.canReadClipboard === true || canReadClipboard();

/** Text from the clipboard, in a click handler; null when it is empty or the user refused. */
export async function pasteText(): Promise<string | null> {
  const client = await loadTelegramClient();
  return (client?.canReadClipboard === true ? await client.readClipboard() : null) ?? readClipboardText();
}
