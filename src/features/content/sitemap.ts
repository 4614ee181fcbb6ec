import type { ContentSection } from "#contract/content.ts";
import type { Api } from "#contract/ssr.ts";
import { LOCALES, type Locale } from "../../shared/i18n/locale.ts";
import { listArticles } from "./load.ts";
import { blogPath } from "./model/blog-path.ts";

/** The contract's limit. */
const PART_SIZE = 100;

/** The section's pages with the languages that have each: its first one, its categories and its articles. */
export async function contentPaths(
  api: Api,
  section: ContentSection,
): Promise<{ path: string; locales: readonly Locale[] }[]> {
  const localesOf = new Map<string, Locale[]>();
  for (const locale of LOCALES)
    for (const path of await pathsIn(api, section, locale))
      localesOf.set(path, [...(localesOf.get(path) ?? []), locale]);
  return [...localesOf].map(([path, locales]) => ({ path, locales }));
}

async function pathsIn(api: Api, section: ContentSection, locale: Locale): Promise<string[]> {
  const paths = [`/${section}`];
  for (let offset = 0; ; offset += PART_SIZE) {
    const query = { offset: String(offset), per_page: String(PART_SIZE) };
    const { items, total, categories } = await listArticles({ api, section, locale }, query);
    if (offset === 0 && section === "blog") paths.push(...categories.map(({ slug }) => blogPath(slug, 1)));
    paths.push(...items.map(({ slug }) => `/${section}/${slug}`));
    if (items.length === 0 || offset + PART_SIZE >= total) return paths;
  }
}
