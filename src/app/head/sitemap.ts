import { formatPairSlug } from "#contract/pair-slug.ts";
import type { Api } from "#contract/ssr.ts";
import { LOCALES, localePath } from "../../shared/i18n/locale.ts";
import { type Route, type RouteName, routes } from "../router/route-table.ts";

/** The protocol's limit for one file. */
const MAX_URLS = 50_000;

/** sitemap.xml from the route table: every indexed page in every language, with its alternates. */
export async function sitemapXml(origin: string, api: Api): Promise<string> {
  const listed = await Promise.all(routes.filter(({ isIndexed }) => isIndexed).map((route) => pathsOf(route, api)));
  const entries = listed.flat().flatMap((path) => LOCALES.map((locale) => entry(origin, path, locale)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries.slice(0, MAX_URLS),
    "</urlset>",
    "",
  ].join("\n");
}

/** The paths of routes with parameters. */
const PATHS: Partial<Record<RouteName, (api: Api) => Promise<string[]>>> = {
  exchange: async (api) =>
    (await api.call("pairs")).flatMap(({ from, to }) =>
      to.map((other) => `/exchange-${formatPairSlug({ from, to: other })}`),
    ),
};

/** A route without parameters has one path, the text of its expression. */
async function pathsOf({ name, path }: Route, api: Api): Promise<string[]> {
  const paths = PATHS[name];
  if (paths !== undefined) return paths(api);
  const text = path.source.replace(/^\^|\$$/g, "").replaceAll("\\/", "/");
  return path.test(text) ? [text] : [];
}

function entry(origin: string, path: string, locale: (typeof LOCALES)[number]): string {
  const url = (of: typeof locale) => escape(origin + localePath(of, path));
  const alternates = [...LOCALES.map((of) => [of, of] as const), ["x-default", "en"] as const].map(
    ([hreflang, of]) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${url(of)}"/>`,
  );
  return `<url><loc>${url(locale)}</loc>${alternates.join("")}</url>`;
}

const escape = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
