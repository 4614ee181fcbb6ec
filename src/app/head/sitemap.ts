import { listedPairs } from "#contract/listed-pairs.ts";
import { PAGE_NAMES } from "#contract/pages.ts";
import { formatPairSlug } from "#contract/pair-slug.ts";
import type { Api } from "#contract/ssr.ts";
import { contentPaths } from "../../features/content/sitemap.ts";
import { coinPaths } from "../../features/prices/sitemap.ts";
import { LOCALES, type Locale, localePath } from "../../shared/i18n/locale.ts";
import { matchRoute, type Route, type RouteName, routes } from "../router/route-table.ts";

/** The protocol's limit for one file. */
const MAX_URLS = 50_000;

/** sitemap.xml from the route table: every indexed page in every language, with its alternates. */
export async function sitemapXml(origin: string, api: Api): Promise<string> {
  const listed = await Promise.all(routes.filter(({ isIndexed }) => isIndexed).map((route) => pathsOf(route, api)));
  const entries = listed
    .flat()
    .flatMap(({ path, locales }) => locales.map((locale) => entry(origin, path, locale, locales)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries.slice(0, MAX_URLS),
    "</urlset>",
    "",
  ].join("\n");
}

/** A page without its language prefix, and the languages that have it. */
type Listed = { readonly path: string; readonly locales: readonly Locale[] };

/** The paths of routes with parameters. */
const PATHS: Partial<Record<RouteName, (api: Api) => Promise<Listed[]>>> = {
  exchange: async (api) => {
    const [instruments, pairs, asked] = await Promise.all([
      api.call("instruments", { query: {} }),
      api.call("pairs"),
      api.call("askedPairs"),
    ]);
    return listedPairs({ instruments, pairs }, asked).map((pair) => ({
      path: `/exchange-${formatPairSlug(pair)}`,
      locales: LOCALES,
    }));
  },
  info: async () =>
    PAGE_NAMES.map((name) => ({ path: `/${name}`, locales: LOCALES })).filter(
      ({ path }) => matchRoute(path)?.route.name === "info",
    ),
  price: coinPaths,
  blog: (api) => contentPaths(api, "blog"),
  docs: (api) => contentPaths(api, "docs"),
};

/** A route without parameters has one path, the text of its expression. */
async function pathsOf({ name, path }: Route, api: Api): Promise<Listed[]> {
  const paths = PATHS[name];
  if (paths !== undefined) return paths(api);
  const text = path.source.replace(/^\^|\$$/g, "").replaceAll("\\/", "/");
  return path.test(text) ? [{ path: text, locales: LOCALES }] : [];
}

function entry(origin: string, path: string, locale: Locale, locales: readonly Locale[]): string {
  const url = (of: Locale) => escape(origin + localePath(of, path));
  const fallback = locales.includes("en") ? [["x-default", "en"] as const] : [];
  const alternates = [...locales.map((of) => [of, of] as const), ...fallback].map(
    ([hreflang, of]) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${url(of)}"/>`,
  );
  return `<url><loc>${url(locale)}</loc>${alternates.join("")}</url>`;
}

const escape = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
