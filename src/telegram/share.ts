import { copyText } from "../shared/browser/clipboard.ts";
import { loadTelegramClient } from "./load-client.ts";
import { isTelegram } from "./is-telegram.ts";

export type Shared = "shared" | "copied" | "failed";

export type SharedPage = {
  /** What the link leads to, in the user's language. */
  readonly title: string;
  /** The full URL of the page. */
  readonly url: string;
  /** The page's path without its language, and the mini-app's URL: inside Telegram their deeplink is shared. */
  readonly path: string;
  readonly miniAppUrl: string | null;
};

/** Telegram's own page for sharing, which opens its app where it is installed. */
export const telegramShareUrl = (url: string, text: string): string =>
  `https://t.me/share/url?${new URLSearchParams({ url, text }).toString()}`;

/** Shares a link, in a click handler: by Telegram's chat picker, by the device's share sheet on the web, else by copying it. */
export async function share({ title, url, path, miniAppUrl }: SharedPage): Promise<Shared> {
  if (isTelegram()) {
    const [client, { deeplinkUrl }] = await Promise.all([loadTelegramClient(), import("#contract/links/deeplink.ts")]);
    const link = deeplinkUrl(path, miniAppUrl) ?? url;
    return client?.shareLink(link, title) === true ? "shared" : copy(link);
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
