import { readDeeplink } from "#contract/links/deeplink.ts";
import { type Locale, localePath } from "#contract/locale.ts";
import { type Guard, redirectTo } from "./guard.ts";

/** Where a deeplink that names no page leads: the home page, which says so (contract §5). */
const UNKNOWN_LINK = "/?link=unknown";

/**
 * Before all other guards: a launch by a deeplink opens its page. The parameter is removed from the query, so it is used once;
 * browsers keep the hash and with it the launch data.
 */
export const startParameter: Guard = async ({ locale, query }) => {
  const parameter = query.get("tgWebAppStartParam");
  return parameter === null ? null : redirectTo(deeplinkTarget(parameter, locale));
};

/** The page that a start parameter names, in this language. */
export function deeplinkTarget(parameter: string, locale: Locale): string {
  const [path = "/", search] = (readDeeplink(parameter) ?? UNKNOWN_LINK).split("?", 2);
  return localePath(locale, path) + (search === undefined ? "" : `?${search}`);
}
