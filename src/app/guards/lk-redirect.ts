import { localePath } from "#contract/locale.ts";
import { type Guard, redirectTo } from "./guard.ts";

const FIRST_PAGE = "/profile/info";
/** A longer address is not led back to: it is in the query of another one, which is in a header. */
const MAX_NEXT = 1_000;

/**
 * lk-redirect (spec §2, contract §4): signed in, `/lk` leads to the profile; signed out, it and every page of the profile lead to the
 * home page with the login dialog, which leads back.
 */
export const lkRedirect: Guard = async ({ locale, path, query }, { account }) => {
  const isEntry = path === "/lk" || path === "/profile";
  if (!isEntry && !path.startsWith("/profile/")) return null;
  const target = localePath(locale, isEntry ? FIRST_PAGE : path);
  if (account.isAuthorised) return isEntry ? redirectTo(target) : null;
  const search = isEntry || query.size === 0 ? "" : `?${query.toString()}`;
  const whole = target + search;
  const next = whole.length > MAX_NEXT ? localePath(locale, FIRST_PAGE) : whole;
  return redirectTo(`${localePath(locale, "/")}?login&next=${encodeURIComponent(next)}`);
};
