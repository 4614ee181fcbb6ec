import { deeplinkTo } from "#contract/deeplink.ts";

/**
 * The link that opens a page of ours (path without language) in the mini-app, by the codec that the bot reads too: `https://t.me/bot?startapp=…`
 * (contract §5). Null for a page without a start parameter, and where the operator names no mini-app of Telegram.
 */
export function deeplinkUrl(path: string, miniAppUrl: string | null): string | null {
  const parameter = deeplinkTo(path);
  if (parameter === null || miniAppUrl === null || !URL.canParse(miniAppUrl)) return null;
  const url = new URL(miniAppUrl);
  if (url.origin !== "https://t.me") return null;
  url.searchParams.set("startapp", parameter);
  return url.href;
}
