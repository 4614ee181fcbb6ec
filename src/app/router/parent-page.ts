import { localePath, splitLocale } from "#contract/locale.ts";
import { matchRoute } from "./route-table.ts";

const PAGES_WITH_TABS = new Set(["home", "exchange", "orders"]);
const ACCOUNT_PAGE = "/profile/info";
const PARENTS: Readonly<Record<string, string>> = {
  order: "/orders",
  profile: ACCOUNT_PAGE,
  price: "/price",
  blog: "/blog",
  docs: "/docs",
};

/** The page that Telegram's Back leads to where a link began, with language and query; null for a page with tabs. */
export function parentPage(prefixedPath: string, search: string): string | null {
  const { locale, path } = splitLocale(prefixedPath);
  const name = matchRoute(path)?.route.name ?? "";
  const query = new URLSearchParams(search);
  if (name === "exchange" && query.get("step") === "destination") {
    query.delete("step");
    return prefixedPath + (query.size === 0 ? "" : `?${query.toString()}`);
  }
  if (PAGES_WITH_TABS.has(name) || path === ACCOUNT_PAGE) return null;
  const parent = PARENTS[name] ?? "/";
  return localePath(locale, parent === path ? "/" : parent);
}
