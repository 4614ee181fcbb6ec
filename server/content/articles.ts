import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ArticleAnswer,
  type ArticleIndex,
  articleIndexSchema,
  type ArticleItem,
  type ArticleList,
  articleTextSchema,
  CONTENT_SECTIONS,
  type ContentSection,
} from "#contract/site/content.ts";
import { LOCALES, type Locale } from "#contract/locale.ts";
export type Source = { readonly section: ContentSection; readonly locale: Locale };

export type Articles = {
  list(source: Source, part: { category?: string | undefined; offset: number; limit: number }): Promise<ArticleList>;
  /** Null where the language has no such article, or not yet. */
  find(source: Source, slug: string): Promise<ArticleAnswer | null>;
  /** The search index of what is published of a section; an empty text where nothing is built. */
  searchIndex(source: Source): Promise<{ readonly index: string }>;
};

const MAX_RELATED = 3;

/** The articles that the build wrote to `folder`; none where nothing is built. Those of a later day than `now()` aren't published yet. */
export function openArticles(folder: string, now: () => Date): Articles {
  const indexes = new Map<string, ArticleIndex>();
  for (const section of CONTENT_SECTIONS)
    for (const locale of LOCALES) indexes.set(`${section}/${locale}`, readIndex(join(folder, section, locale)));

  const today = () => now().toISOString().slice(0, "2026-01-01".length);
  const published = ({ section, locale }: Source): ArticleIndex => {
    const { items, categories } = indexes.get(`${section}/${locale}`) ?? EMPTY;
    const day = today();
    return { items: items.filter(({ publishedAt }) => publishedAt <= day), categories };
  };

  return {
    async searchIndex({ section, locale }) {
      const file = searchFileOf(join(folder, section, locale), today());
      return { index: file === null ? "" : await readFile(file, "utf8") };
    },
    list: async (source, part) => listOf(published(source), part),
    async find(source, slug) {
      const { items } = inMenuOrder(source, published(source));
      const place = items.findIndex((item) => item.slug === slug);
      const item = items[place];
      if (item === undefined) return null;
      const file = join(folder, source.section, source.locale, "articles", `${item.slug}.json`);
      const text = articleTextSchema.parse(JSON.parse(await readFile(file, "utf8")));
      const article = { ...item, ...text, previous: linkTo(items[place - 1]), next: linkTo(items[place + 1]) };
      const translations = LOCALES.filter((locale) =>
        published({ ...source, locale }).items.some((other) => other.slug === slug),
      );
      return { article, translations, related: relatedOf(item, items) };
    },
  };
}

/** The docs are read by category, as their menu lists them; the blog by time. */
function inMenuOrder({ section }: Source, index: ArticleIndex): ArticleIndex {
  if (section === "blog") return index;
  const { items, categories } = index;
  const placeOf = ({ category }: ArticleItem) => categories.findIndex(({ slug }) => slug === category);
  return { categories, items: items.toSorted((one, other) => placeOf(one) - placeOf(other)) };
}

const EMPTY: ArticleIndex = { items: [], categories: [] };

function readIndex(folder: string): ArticleIndex {
  const file = join(folder, "index.json");
  return existsSync(file) ? articleIndexSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : EMPTY;
}

/**
 * The newest index that has nothing of a later day: the build writes `search.json` as of its own day, and `search-2026-12-01.json` for each later day on
 * which an article comes out. Null where nothing is built.
 */
function searchFileOf(folder: string, day: string): string | null {
  if (!existsSync(join(folder, "search.json"))) return null;
  const days = readdirSync(folder).flatMap((file) => /^search-(\d{4}-\d\d-\d\d)\.json$/.exec(file)?.[1] ?? []);
  const newest = days
    .filter((one) => one <= day)
    .toSorted()
    .at(-1);
  return join(folder, newest === undefined ? "search.json" : `search-${newest}.json`);
}

export function listOf(
  { items, categories }: ArticleIndex,
  { category, offset, limit }: { category?: string | undefined; offset: number; limit: number },
): ArticleList {
  const chosen = category === undefined ? items : items.filter((item) => item.category === category);
  return {
    items: chosen.slice(offset, offset + limit),
    total: chosen.length,
    categories: categories
      .map((named) => ({ ...named, count: items.filter((item) => item.category === named.slug).length }))
      .filter(({ count }) => count > 0),
  };
}

const linkTo = (item: ArticleItem | undefined) => (item ? { slug: item.slug, title: item.title } : null);

/** Those with most tags in common, then those of the same category, in the order of the pages. */
function relatedOf(article: ArticleItem, items: readonly ArticleItem[]): ArticleItem[] {
  const score = (item: ArticleItem): number =>
    2 * item.tags.filter((tag) => article.tags.includes(tag)).length + Number(item.category === article.category);
  return items
    .filter((item) => item.slug !== article.slug && score(item) > 0)
    .toSorted((a, b) => score(b) - score(a))
    .slice(0, MAX_RELATED);
}
