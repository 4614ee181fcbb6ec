import { copyText } from "../shared/browser/clipboard.ts";
import { loadTelegramClient } from "./load-client.ts";
import { isTelegram } from "./is-telegram.ts";

export type Shared = "shared" | "copied" | "failed";

type Given = {
  /** What the link leads to, in the reader's language. */
  readonly title: string;
  /** The whole address of the page. */
  readonly url: string;
  /** The page without its language, and where the mini-app opens: inside Telegram their deeplink is shared. */
  readonly path: string;
  readonly miniAppUrl: string | null;
};

/** Hands a link on, in a press: to Telegram's chats inside it, by the device's own sheet on the web; where neither is there, it is copied. */
export async function share({ title, url, path, miniAppUrl }: Given): Promise<Shared> {
  if (isTelegram()) {
    const [telegram, { deeplinkUrl }] = await Promise.all([loadTelegramClient(), import("#contract/deeplink.ts")]);
    const link = deeplinkUrl(path, miniAppUrl) ?? url;
    return telegram?.shareLink(link, title) === true ? "shared" : copy(link);
  }
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title, url });
      return "shared";
    } catch (error) {
      // Closing the sheet is an answer; anything else falls back to copying.
      if (error instanceof DOMException && error.name === "AbortError") return "shared";
    }
  }
  return copy(url);
}

const copy = async (link: string): Promise<Shared> => ((await copyText(link)) ? "copied" : "failed");
