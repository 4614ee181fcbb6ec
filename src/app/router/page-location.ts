import { type Locale, splitLocale } from "#contract/locale.ts";
import { matchRoute } from "./route-table.ts";

export type PageLocation = { readonly locale: Locale; readonly path: string; readonly query: URLSearchParams };

/** Parses path and query of a normalised URL; the path loses its language prefix. */
export function parseLocation(url: string): PageLocation {
  const [pathname = "/", search = ""] = url.replace(/#.*$/, "").split("?", 2);
  return { ...splitLocale(pathname), query: new URLSearchParams(search) };
}

/** Changes when the data must be loaded again: the path and the part of the query that the page's data depends on. */
export function locationKey({ path, query }: Pick<PageLocation, "path" | "query">): string {
  const parameters = matchRoute(path)?.route.dataQuery ?? [];
  return [path, ...parameters.map((name) => query.get(name) ?? "")].join("\n");
}
