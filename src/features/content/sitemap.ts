import type { ArticleItem, ContentSection } from "#contract/site/content.ts";
import type { Api } from "#contract/site/ssr.ts";
import { LOCALES, type Locale } from "#contract/locale.ts";
import { listArticles } from "./load.ts";
import { blogPath, lastPageOf } from "./model/blog-path.ts";

/** The contract's limit. */
const PART_SIZE = 100;

type Listed = { readonly path: string; readonly locales: Locale[]; readonly lastmod?: string };

/** The section's pages with the languages that have each, and the day of the last change in any of them: every page of its lists, and its articles. */
export async function contentPaths(api: Api, section: ContentSection): Promise<Listed[]> {
  const pages = new Map<string, { locales: Locale[]; days: string[] }>();
  for (const locale of LOCALES)
    for (const [path, lastmod] of await pathsIn(api, section, locale)) {
      const known = pages.get(path) ?? { locales: [], days: [] };
      known.locales.push(locale);
      if (lastmod !== "") known.days.push(lastmod);
      pages.set(path, known);
    }
  return [...pages].map(([path, { locales, days }]) => {
    const lastmod = days.toSorted().at(-1);
    return { path, locales, ...(lastmod !== undefined && { lastmod }) };
  });
}

async function pathsIn(api: Api, section: ContentSection, locale: Locale): Promise<[path: string, lastmod: string][]> {
  const all: ArticleItem[] = [];
  const first = await listArticles({ api, section, locale }, { offset: "0", per_page: String(PART_SIZE) });
  all.push(...first.items);
  while (all.length < first.total) {
    const part = { offset: String(all.length), per_page: String(PART_SIZE) };
    const { items } = await listArticles({ api, section, locale }, part);
    if (items.length === 0) break;
    all.push(...items);
  }
  const lists = section === "blog" ? ["", ...first.categories.map(({ slug }) => slug)] : [];
  return [
    // The list itself is there without any article.
    ...(section === "docs" ? [[`/${section}`, newest(all)] as [string, string]] : []),
    ...lists.flatMap((list) => pagesOf(list, list === "" ? all : all.filter(({ category }) => category === list))),
    ...all.map((item): [string, string] => [`/${section}/${item.slug}`, changedAt(item)]),
  ];
}

/** Each page of a list of the blog: what is added to it moves the rest. */
const pagesOf = (list: string, items: readonly ArticleItem[]): [string, string][] =>
  Array.from({ length: lastPageOf(items.length) }, (_, index) => [blogPath(list, index + 1), newest(items)]);

const changedAt = ({ publishedAt, updatedAt }: ArticleItem): string => updatedAt ?? publishedAt;

/** A list changes with each of its articles. */
const newest = (items: readonly ArticleItem[]): string => items.map(changedAt).toSorted().at(-1) ?? "";
