import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import {
  type ArticleItem,
  articleIndexSchema,
  articleTextSchema,
  categorySlugSchema,
  CONTENT_SECTIONS,
  type ContentSection,
} from "#contract/site/content.ts";
import { LOCALES, type Locale, localeBase, toLocale } from "#contract/locale.ts";
import { type ArticleFile, ContentError, lineSchema, parseArticle } from "./article-file.ts";
import { buildPages } from "./build-pages.ts";
import { type Cover, drawCovers } from "./covers.ts";
import { copyPictures, drawPicture, filesOf, PICTURE_CACHE } from "./draw-picture.ts";
import { type BuiltFile, checkLinks } from "./links.ts";
import { type ArticlePicture, type Pictures, readArticlePictures, sizesOf } from "./pictures.ts";
import { type RenderedArticle, renderArticle } from "./render-article.ts";
import { apiReference, searchFiles } from "./search-files.ts";

const categoriesSchema = z.record(
  z.enum(CONTENT_SECTIONS),
  z.record(categorySlugSchema, z.record(z.enum(LOCALES), lineSchema(100))),
);
type Categories = z.output<typeof categoriesSchema>;

type Sources = {
  readonly categories: Categories;
  readonly covers: ReadonlyMap<string, Cover>;
  readonly pictures: Pictures;
  /** Those that are no drafts, by section and locale. */
  readonly articles: ReadonlyMap<string, readonly ArticleFile[]>;
};

/** What is written below the target, and the pictures that go with it. */
type Built = {
  readonly files: Map<string, unknown>;
  readonly checked: BuiltFile[];
  /** Addresses of lists of articles. */
  readonly lists: Set<string>;
  readonly covers: Set<string>;
  readonly pictures: Map<string, ArticlePicture>;
};

/**
 * Builds the articles of `source` (`content/`) into `target`: `{section}/{locale}/index.json`, `articles/{slug}.json` for each article, and
 * `search.json` as it is on the day `today` (see `searchFiles`); `pages/{locale}/{name}.json` for each page about the exchange itself; and the pictures of all these.
 * Drafts are left out. Throws `ContentError` for the first file that is wrong, and then leaves what was there.
 */
export async function buildContent(source: string, target: string, today = dayOf(new Date())): Promise<void> {
  const sources: Sources = {
    categories: readCategories(join(source, "categories.yaml")),
    articles: readSections(source),
    pictures: await readArticlePictures(join(source, "pictures")),
    covers: await drawCovers(join(source, "covers")),
  };
  const built: Built = {
    files: new Map(),
    checked: [],
    lists: new Set(),
    covers: new Set(),
    pictures: new Map(),
  };
  for (const section of CONTENT_SECTIONS)
    for (const locale of LOCALES) await buildSection(sources, section, locale, today, built);
  for (const locale of LOCALES) addPages(source, locale, sources, built);
  await checkLinks(built.checked, built.lists, today);
  const drawn: string[] = [];
  for (const picture of built.pictures.values()) {
    await drawPicture(picture, sizesOf(picture), PICTURE_CACHE);
    drawn.push(...filesOf(picture, sizesOf(picture)));
  }
  // Nothing of what was there is touched before all of this is written.
  const next = join(dirname(target), `.${basename(target)}-next`);
  rmSync(next, { recursive: true, force: true });
  for (const [path, content] of built.files) {
    mkdirSync(dirname(join(next, path)), { recursive: true });
    writeFileSync(join(next, path), JSON.stringify(content));
  }
  copyPictures(built.covers, PICTURE_CACHE, join(next, "covers"));
  copyPictures(drawn, PICTURE_CACHE, join(next, "pictures"));
  rmSync(target, { recursive: true, force: true });
  renameSync(next, target);
}

function readCategories(file: string): Categories {
  const parsed = categoriesSchema.safeParse(parseYaml(file));
  if (parsed.success) return parsed.data;
  throw new ContentError(file, 1, z.prettifyError(parsed.error));
}

function parseYaml(file: string): unknown {
  if (!existsSync(file)) throw new ContentError(file, 1, "is missing");
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ContentError(file, 1, error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

function readSections(source: string): Map<string, ArticleFile[]> {
  const articles = new Map<string, ArticleFile[]>();
  for (const section of CONTENT_SECTIONS) {
    for (const folder of existsSync(join(source, section)) ? visibleIn(join(source, section)) : [])
      if (!LOCALES.some((locale) => locale === folder))
        throw new ContentError(join(source, section, folder), 1, `is no language: ${LOCALES.join(", ")}`);
    for (const locale of LOCALES) articles.set(`${section}/${locale}`, readArticles(join(source, section, locale)));
  }
  return articles;
}

function addPages(source: string, locale: Locale, { pictures, articles }: Sources, built: Built): void {
  const docsHas = (slug: string) => articles.get(`docs/${locale}`)?.some((article) => article.slug === slug) === true;
  for (const [name, { page, file, links, ids, pictures: shown }] of buildPages(source, { locale, pictures }, docsHas)) {
    built.files.set(`pages/${locale}/${name}.json`, page);
    built.checked.push({ file, locale, address: `${localeBase(locale)}/${name}`, publishedAt: null, links, ids });
    for (const picture of shown) built.pictures.set(picture.key, picture);
  }
}

/** Of a page in a language, before its path. */

async function buildSection(
  { categories, covers, pictures, articles: all }: Sources,
  section: ContentSection,
  locale: Locale,
  today: string,
  built: Built,
): Promise<void> {
  const articles = (all.get(`${section}/${locale}`) ?? []).toSorted(
    section === "blog" ? newestFirst : (a, b) => a.order - b.order || newestFirst(a, b),
  );
  const addressOf = addressesFrom(all, section, locale);
  const items: ArticleItem[] = [];
  const rendered: [ArticleFile, RenderedArticle][] = [];
  for (const article of articles) {
    const { slug, title, description, category, tags, author, publishedAt, updatedAt } = article;
    if (categories[section][category] === undefined)
      throw new ContentError(
        article.file,
        article.keyLines["category"] ?? 1,
        `category: "${category}" is not in categories.yaml`,
      );
    if (categories[section][slug] !== undefined)
      throw new ContentError(article.file, 1, `"${slug}" is the address of a category`);
    const cover = article.cover === null ? null : covers.get(article.cover);
    if (cover === undefined)
      throw new ContentError(
        article.file,
        article.keyLines["cover"] ?? 1,
        `cover: "${article.cover}" is not in content/covers (.svg, .png, .jpg or .webp)`,
      );
    for (const file of cover?.files ?? []) built.covers.add(file);
    const made = await renderArticle(article, { locale, addressOf, pictures });
    rendered.push([article, made]);
    const { html, toc, minutes, links, ids } = made;
    for (const picture of made.pictures) built.pictures.set(picture.key, picture);
    const address = `${localeBase(locale)}/${section}/${slug}`;
    built.checked.push({ file: article.file, locale, address, publishedAt, links, ids });
    if (section === "blog") built.lists.add(`${localeBase(locale)}/blog/${category}`);
    const dates = { publishedAt, updatedAt };
    items.push({ slug, title, description, category, tags, author, ...dates, minutes, cover: cover?.path ?? null });
    built.files.set(`${section}/${locale}/articles/${slug}.json`, articleTextSchema.parse({ html, toc }));
  }
  built.lists.add(`${localeBase(locale)}/${section}`);
  const named = Object.entries(categories[section]).map(([slug, titles]) => ({ slug, title: titles[locale] }));
  built.files.set(`${section}/${locale}/index.json`, articleIndexSchema.parse({ items, categories: named }));
  for (const [name, index] of searchFiles(rendered, section === "docs" ? [apiReference(locale)] : [], today))
    built.files.set(`${section}/${locale}/${name}`, index);
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
    return `${localeBase(toLocale(language))}/${of}/${slug}`;
  };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, "2026-01-01".length);

const visibleIn = (folder: string): string[] => readdirSync(folder).filter((name) => !name.startsWith("."));

/** None of a language that nobody writes in: Git keeps no empty folder. */
function readArticles(folder: string): ArticleFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      if (!file.endsWith(".md"))
        throw new ContentError(file, 1, "is no article, whose name ends in .md; pictures lie in content/pictures");
      const slug = file.slice(folder.length + 1, -".md".length).replaceAll("\\", "/");
      return parseArticle(file, slug, readFileSync(file, "utf8"));
    })
    .filter(({ draft }) => !draft);
}

const newestFirst = (a: ArticleFile, b: ArticleFile): number =>
  b.publishedAt.localeCompare(a.publishedAt) || a.slug.localeCompare(b.slug);
