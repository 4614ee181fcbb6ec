import type { ArticleItem, ContentSection } from "#contract/site/content.ts";
import type { Api } from "#contract/site/ssr.ts";
import { LOCALES, type Locale } from "../../shared/i18n/locale.ts";
import { listArticles } from "./load.ts";
import { blogPath } from "./model/blog-path.ts";

/** The contract's limit. */
const PART_SIZE = 100;

type Listed = { readonly path: string; readonly locales: Locale[]; readonly lastmod: string };

/** The section's pages with the languages that have each, and the day of the last change in any of them: its first one, its categories and its articles. */
export async function contentPaths(api: Api, section: ContentSection): Promise<Listed[]> {
  const pages = new Map<string, Listed>();
  for (const locale of LOCALES)
    for (const [path, lastmod] of await pathsIn(api, section, locale)) {
      const known = pages.get(path);
      const locales = [...(known?.locales ?? []), locale];
      pages.set(path, {
        path,
        locales,
        lastmod: known !== undefined && known.lastmod > lastmod ? known.lastmod : lastmod,
      });
    }
  return [...pages.values()];
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
  if (all.length === 0) return [];
  const categories = section === "blog" ? first.categories : [];
  return [
    [`/${section}`, newest(all)],
    ...categories.map(({ slug }): [string, string] => [
      blogPath(slug, 1),
      newest(all.filter(({ category }) => category === slug)),
    ]),
    ...all.map((item): [string, string] => [`/${section}/${item.slug}`, changedAt(item)]),
  ];
}

const changedAt = ({ publishedAt, updatedAt }: ArticleItem): string => updatedAt ?? publishedAt;

/** A list changes with each of its articles. */
const newest = (items: readonly ArticleItem[]): string => items.map(changedAt).toSorted().at(-1) ?? "";
