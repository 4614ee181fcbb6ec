import { isTelegram } from "./is-telegram.ts";
import { loadTelegramClient } from "./load-client.ts";

/** `opened`: the page, in a browser outside Telegram, where the file can be saved. */
export type Saved = "downloaded" | "shared" | "opened" | "unsupported";

type SavedFile = {
  readonly file: File;
  readonly title: string;
  /** The page that can save it in a browser. */
  readonly pageUrl: string;
};

/**
 * Saves a file that was made on the device. Telegram's web views drop such downloads, and its own `downloadFile` takes only a
 * file that a server has: there the device's share sheet takes the file, or a browser opens the page.
 */
export async function saveFile({ file, title, pageUrl }: SavedFile): Promise<Saved> {
  if (!isTelegram()) return download(file);
  if (await shareFile(file, title)) return "shared";
  return (await loadTelegramClient())?.openLink(pageUrl) === true ? "opened" : "unsupported";
}

async function shareFile(file: File, title: string): Promise<boolean> {
  const data = { files: [file], title };
  // Old web views have neither.
  if (typeof navigator.canShare !== "function" || !navigator.canShare(data)) return false;
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    // Closing the sheet is an answer; a refusal is not.
    if (error instanceof DOMException && error.name === "AbortError") return true;
    console.warn("the device's share sheet did not take the file", error);
    return false;
  }
}

/** Browsers read the URL after the click; it is theirs for a minute. */
const DOWNLOAD_MS = 60_000;

function download(file: File): "downloaded" {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_MS);
  return "downloaded";
}
