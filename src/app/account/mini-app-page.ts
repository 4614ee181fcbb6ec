import { deeplinkUrl } from "#contract/links/deeplink.ts";
import { splitLocale } from "#contract/locale.ts";

/**
 * Where the mini-app opens this page (a path with its language and query); its first page where no deeplink names that one (contract §5).
 * Null without a mini-app.
 */
export function miniAppPage(requested: string, miniAppUrl: string | null): string | null {
  const [pathname = "/", search] = requested.split("?", 2);
  const { path } = splitLocale(pathname);
  const whole = search === undefined ? null : deeplinkUrl(`${path}?${search}`, miniAppUrl);
  return whole ?? deeplinkUrl(path, miniAppUrl) ?? miniAppUrl;
}
