import type { RedirectRule } from "#contract/site.ts";
import { isUnreachable } from "../../shared/http/call-error.ts";
import { type Locale, localePath } from "../../shared/i18n/locale.ts";
import { type Guard, type Redirect, redirectTo } from "./guard.ts";

/** Guard 6 of spec §2: the server says which addresses have moved. Where it can't be asked, none has. */
export const serverRedirects: Guard = async ({ locale, path, query }, { redirects }) => {
  try {
    return findRedirect(await redirects(), { locale, path, query });
  } catch (error) {
    // Without a network the page has told that already.
    const tell = isUnreachable(error) ? console.debug : console.warn;
    tell("the server's redirects can't be asked for", error);
    return null;
  }
};

type Asked = { readonly locale: Locale; readonly path: string; readonly query: URLSearchParams };

/** Where a path has moved, in its language; the query goes along unless the rule has one. */
export function findRedirect(rules: readonly RedirectRule[], { locale, path, query }: Asked): Redirect | null {
  const rule = rules.find(({ from }) => from === path);
  if (rule === undefined) return null;
  if (isAbsolute(rule.to)) return redirectTo(rule.to, rule.status);
  const [, toPath = "/", rest = ""] = /^([^?#]*)(.*)$/.exec(rule.to) ?? [];
  const kept = rest.startsWith("?") || query.size === 0 ? rest : `?${query}${rest}`;
  return redirectTo(localePath(locale, toPath) + kept, rule.status);
}

/** A whole URL, to which only a full load leads. */
export const isAbsolute = (to: string): boolean => /^https?:\/\//i.test(to);
