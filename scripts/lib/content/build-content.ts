import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import MiniSearch from "minisearch";
import { parse } from "yaml";
import * as z from "zod";
import {
  type ArticleItem,
  articleIndexSchema,
  articleTextSchema,
  categorySlugSchema,
  CONTENT_LOCALES,
  CONTENT_SECTIONS,
  type ContentSection,
  ARTICLE_SEARCH,
} from "#contract/site/content.ts";
import { type ArticleFile, ContentError, parseArticle } from "./article-file.ts";
import { buildPages } from "./build-pages.ts";
import { readCovers, writeCovers } from "./covers.ts";
import { type Part, renderArticle } from "./render-article.ts";

type Locale = (typeof CONTENT_LOCALES)[number];

const categoriesSchema = z.record(
  z.enum(CONTENT_SECTIONS),
  z.record(categorySlugSchema, z.record(z.enum(CONTENT_LOCALES), z.string().min(1))),
);
type Categories = z.output<typeof categoriesSchema>;

/**
 * Builds the articles of `source` (`content/`) into `target`: `{section}/{locale}/index.json`, and `articles/{slug}.json` for each article; and
 * `pages/{locale}/{name}.json` for each page about the exchange itself.
 * Drafts are left out. Throws `ContentError` for the first file that is wrong, and then leaves what was there.
 */
export async function buildContent(source: string, target: string): Promise<void> {
  const files = new Map<string, unknown>();
  const categories = readCategories(join(source, "categories.yaml"));
  const covers = readCovers(join(source, "covers"));
  const published = new Map<string, ArticleFile[]>();
  for (const section of CONTENT_SECTIONS)
    for (const locale of CONTENT_LOCALES)
      published.set(`${section}/${locale}`, readArticles(join(source, section, locale)));
  for (const section of CONTENT_SECTIONS)
    for (const locale of CONTENT_LOCALES)
      for (const [path, content] of await buildSection(published, section, locale, { categories, covers }))
        files.set(join(target, section, locale, path), content);
  for (const locale of CONTENT_LOCALES)
    for (const [name, page] of buildPages(source, locale, (slug) =>
      files.has(join(target, "docs", locale, `articles/${slug}.json`)),
    ))
      files.set(join(target, "pages", locale, `${name}.json`), page);
  rmSync(target, { recursive: true, force: true });
  for (const [path, content] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(content));
  }
  await writeCovers(join(source, "covers"), join(target, "covers"));
}

function readCategories(file: string): Categories {
  const parsed = categoriesSchema.safeParse(parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new ContentError(file, 1, z.prettifyError(parsed.error));
}

async function buildSection(
  published: ReadonlyMap<string, readonly ArticleFile[]>,
  section: ContentSection,
  locale: Locale,
  { categories, covers }: { categories: Categories; covers: ReadonlyMap<string, string> },
): Promise<[string, unknown][]> {
  const articles = (published.get(`${section}/${locale}`) ?? []).toSorted(
    section === "blog" ? newestFirst : (a, b) => a.order - b.order || newestFirst(a, b),
  );
  const addressOf = addressesFrom(published, section, locale);
  const items: ArticleItem[] = [];
  const texts: [string, unknown][] = [];
  const found: Found[] = [];
  for (const article of articles) {
    const { slug, title, description, category, tags, author, publishedAt, updatedAt } = article;
    if (categories[section][category] === undefined)
      throw new ContentError(article.file, 1, `category: "${category}" is not in categories.yaml`);
    if (categories[section][slug] !== undefined)
      throw new ContentError(article.file, 1, `"${slug}" is the address of a category`);
    const cover = article.cover === null ? null : covers.get(article.cover);
    if (cover === undefined)
      throw new ContentError(article.file, 1, `cover: "${article.cover}.svg" is not in content/covers`);
    const { html, toc, minutes, parts } = await renderArticle(article, addressOf);
    // Nobody may search what isn't published yet: the next build has it.
    if (publishedAt <= today())
      found.push(...parts.map((part) => ({ ...part, id: `${slug}#${part.anchor}`, slug, title })));
    const dates = { publishedAt, updatedAt };
    items.push({ slug, title, description, category, tags, author, ...dates, minutes, cover });
    texts.push([`articles/${slug}.json`, articleTextSchema.parse({ html, toc })]);
  }
  const named = Object.entries(categories[section]).map(([slug, titles]) => ({ slug, title: titles[locale] }));
  return [
    ["index.json", articleIndexSchema.parse({ items, categories: named })],
    ["search.json", indexOf(found)],
    ...texts,
  ];
}

/** Where the file of another article is read: of the same section by its slug, of another one by its path, `../../docs/en/fees`. */
function addressesFrom(
  published: ReadonlyMap<string, readonly ArticleFile[]>,
  section: ContentSection,
  locale: Locale,
): (to: string) => string | null {
  return (to) => {
    const [, folder = `${section}/${locale}`, slug = to] = /^\.\.\/\.\.\/(\w+\/\w+)\/(.+)$/.exec(to) ?? [];
    if (published.get(folder)?.some((article) => article.slug === slug) !== true) return null;
    const [of, language] = folder.split("/");
    return `${language === "en" ? "" : `/${language}`}/${of}/${slug}`;
  };
}

type Found = Part & { readonly id: string; readonly slug: string; readonly title: string };

function indexOf(found: readonly Found[]): MiniSearch<Found> {
  const index = new MiniSearch<Found>(ARTICLE_SEARCH);
  index.addAll(found);
  return index;
}

const today = (): string => new Date().toISOString().slice(0, "2026-01-01".length);

function readArticles(folder: string): ArticleFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => {
      const file = join(folder, path);
      return parseArticle(file, path.slice(0, -".md".length).replaceAll("\\", "/"), readFileSync(file, "utf8"));
    })
    .filter(({ draft }) => !draft);
}

const newestFirst = (a: ArticleFile, b: ArticleFile): number =>
  b.publishedAt.localeCompare(a.publishedAt) || a.slug.localeCompare(b.slug);
