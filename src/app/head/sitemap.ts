import { escapeMarkup } from "#contract/site/escape-markup.ts";
import { listedPairs } from "#contract/site/listed-pairs.ts";
import { PAGE_NAMES } from "#contract/site/pages.ts";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
import type { Api } from "#contract/site/ssr.ts";
import { contentPaths } from "../../features/content/sitemap.ts";
import { coinPaths, priceListPaths } from "../../features/prices/sitemap.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { LOCALES, type Locale, localePath } from "#contract/locale.ts";
import { matchRoute, type Route, type RouteName, routes } from "../router/route-table.ts";

/** The protocol's limit for one file. */
const MAX_URLS = 50_000;

/** A page without its language prefix, the languages that have it, and the day of its last change where that is known. */
type Listed = { readonly path: string; readonly locales: readonly Locale[]; readonly lastmod?: string };

/**
 * The files of the sitemap by their paths: `/sitemap.xml`, which lists the others, and of those one for each kind of page, with every
 * indexed page in every language and its alternates. Null for a kind whose pages can't be had for a while.
 */
export async function sitemapFiles(
  origin: string,
  api: Api,
  maxUrls = MAX_URLS,
): Promise<Record<string, string | null>> {
  const indexed = routes.filter(({ isIndexed }) => isIndexed);
  const listed = await Promise.all(
    indexed.map(async (route) => ({ name: fileOf(route), pages: await knownPagesOf(route, api) })),
  );
  const pages = Map.groupBy(
    listed.flatMap(({ name, pages: of }) => (of ?? []).map((page) => ({ name, page }))),
    ({ name }) => name,
  );
  const files: Record<string, string | null> = {};
  const index: string[] = [];
  for (const [name, of] of pages) {
    const parts = partsOf(
      of.flatMap(({ page }) => page.locales.map((locale) => ({ page, locale }))),
      maxUrls,
    );
    for (const [number, part] of parts.entries()) {
      const path = `/sitemaps/${name}${number === 0 ? "" : `-${number + 1}`}.xml`;
      files[path] = urlset(part.map(({ page, locale }) => entry(origin, page, locale)));
      index.push(
        `<sitemap><loc>${escapeMarkup(origin + path)}</loc>${lastmodTag(newest(part.map(({ page }) => page)))}</sitemap>`,
      );
    }
  }
  for (const { name, pages: of } of listed) {
    const path = `/sitemaps/${name}.xml`;
    if (of !== null || path in files) continue;
    files[path] = null;
    index.push(`<sitemap><loc>${escapeMarkup(origin + path)}</loc></sitemap>`);
  }
  return { "/sitemap.xml": document("sitemapindex", "", index), ...files };
}

/** The paths of routes with parameters. */
const PAGES: Partial<Record<RouteName, (api: Api) => Promise<Listed[]>>> = {
  exchange: async (api) => {
    const [instruments, pairs, asked] = await Promise.all([
      api.call("instruments", { query: {} }),
      api.call("pairs"),
      api.call("askedPairs"),
    ]);
    return listedPairs({ instruments, pairs }, asked).map((pair) => ({
      path: `/exchange-${formatPairSlug(pair)}`,
      locales: LOCALES,
      // The page shows the pair's last exchanges.
      ...(pair.lastAt !== null && { lastmod: pair.lastAt }),
    }));
  },
  info: async () =>
    PAGE_NAMES.map((name) => ({ path: `/${name}`, locales: LOCALES })).filter(
      ({ path }) => matchRoute(path)?.route.name === "info",
    ),
  prices: priceListPaths,
  price: coinPaths,
  blog: (api) => contentPaths(api, "blog"),
  docs: (api) => contentPaths(api, "docs"),
};

/** Routes with one page each share a file. */
const fileOf = ({ name }: Route): string => (PAGES[name] === undefined ? "pages" : name);

/** Null while what names them is unavailable: the other files do without. */
async function knownPagesOf(route: Route, api: Api): Promise<Listed[] | null> {
  try {
    return await pagesOf(route, api);
  } catch (error) {
    if (error instanceof CallError && error.code === "ERR_SERVICE_UNAVAILABLE") return null;
    throw error;
  }
}

/** A route without parameters has one path, the text of its expression. */
async function pagesOf({ name, path }: Route, api: Api): Promise<Listed[]> {
  const pages = PAGES[name];
  if (pages !== undefined) return pages(api);
  const text = path.source.replace(/^\^|\$$/g, "").replaceAll("\\/", "/");
  return path.test(text) ? [{ path: text, locales: LOCALES }] : [];
}

function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}

/** Unknown where one of the pages doesn't know. */
function newest(pages: readonly Listed[]): string | undefined {
  const days = pages.flatMap(({ lastmod }) => lastmod ?? []);
  return days.length < pages.length ? undefined : days.toSorted().at(-1);
}

const urlset = (entries: readonly string[]): string =>
  document("urlset", ' xmlns:xhtml="http://www.w3.org/1999/xhtml"', entries);

const document = (root: string, namespaces: string, lines: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${namespaces}>`,
    ...lines,
    `</${root}>`,
    "",
  ].join("\n");

function entry(origin: string, { path, locales, lastmod }: Listed, locale: Locale): string {
  const url = (of: Locale) => escapeMarkup(origin + localePath(of, path));
  const fallback = locales.includes("en") ? [["x-default", "en"] as const] : [];
  const alternates = [...locales.map((of) => [of, of] as const), ...fallback].map(
    ([hreflang, of]) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${url(of)}"/>`,
  );
  return `<url><loc>${url(locale)}</loc>${lastmodTag(lastmod)}${alternates.join("")}</url>`;
}

const lastmodTag = (lastmod: string | undefined): string =>
  lastmod === undefined ? "" : `<lastmod>${lastmod}</lastmod>`;
