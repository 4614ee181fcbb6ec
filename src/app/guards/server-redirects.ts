import type { RedirectRule } from "#contract/site/site.ts";
import { isUnreachable } from "../../shared/http/call-error.ts";
import { type Locale, localePath } from "#contract/locale.ts";
import { type Guard, type Redirect, redirectTo } from "./guard.ts";

/** Guard 6 of spec §2: redirects that the server defines by path; none while it can't be reached. */
export const serverRedirects: Guard = async ({ locale, path, query }, { redirects }) => {
  try {
    return findRedirect(await redirects(), { locale, path, query });
  } catch (error) {
    // Offline, the page already says so.
    const log = isUnreachable(error) ? console.debug : console.warn;
    log("redirects can't be fetched", error);
    return null;
  }
};

type Requested = { readonly locale: Locale; readonly path: string; readonly query: URLSearchParams };

/** The redirect of a path, in its language; keeps the query unless the rule has one. */
function findRedirect(rules: readonly RedirectRule[], { locale, path, query }: Requested): Redirect | null {
  const rule = rules.find(({ from }) => from === path);
  if (rule === undefined) return null;
  if (isAbsolute(rule.to)) return redirectTo(rule.to, rule.status);
  const [, toPath = "/", rest = ""] = /^([^?#]*)(.*)$/.exec(rule.to) ?? [];
  const kept = rest.startsWith("?") || query.size === 0 ? rest : `?${query}${rest}`;
  return redirectTo(localePath(locale, toPath) + kept, rule.status);
}

/** A full URL, which needs a full page load. */
const isAbsolute = (to: string): boolean => /^https?:\/\//i.test(to);
