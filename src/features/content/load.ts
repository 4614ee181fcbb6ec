import type { ArticleAnswer, ArticleItem, ArticleList, ContentSection } from "#contract/site/content.ts";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { LOCALES, type Locale } from "#contract/locale.ts";
import type { Loaded, LocalLoadInput } from "../../shared/page/page-context.ts";
import { blogPath, lastPageOf, PAGE_SIZE, readBlogPath } from "./model/blog-path.ts";

/** The contract's limit: the side navigation names every page of the docs. */
const MAX_DOCS = 100;

type Categories = ArticleList["categories"];
type DocsEntry = Pick<ArticleItem, "slug" | "title" | "category">;

type Common = {
  readonly section: ContentSection;
  readonly categories: Categories;
  /** The languages that have the page. */
  readonly locales: readonly Locale[];
  /** Every page of the docs; empty in the blog. */
  readonly navigation: readonly DocsEntry[];
};
export type ListData = Common & {
  readonly kind: "list";
  readonly items: readonly ArticleItem[];
  readonly category: Categories[number] | null;
  readonly page: number;
  readonly lastPage: number;
};
export type ArticleData = Common & {
  readonly kind: "article";
  readonly article: ArticleAnswer["article"];
  readonly related: readonly ArticleItem[];
};
export type ContentData = ListData | ArticleData;

type Source = { readonly api: Api; readonly section: ContentSection; readonly locale: Locale };

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
const MAX_SLUG = 200;
const MAX_CATEGORY = 64;
const isSlug = (slug: string): boolean => slug.length <= MAX_SLUG && SLUG.test(slug);

/** `/blog` and all below: a list, a category's list, or an article. */
export async function loadBlog({ params, api, locale }: LocalLoadInput): Promise<Loaded<ContentData>> {
  const { slug, page, hasPage } = readBlogPath(params["below"] ?? "");
  if (slug !== "" && !isSlug(slug)) return { kind: "notFound" };
  const source: Source = { api, section: "blog", locale };
  const isCategory = slug !== "" && !slug.includes("/") && slug.length <= MAX_CATEGORY;
  const [list, answer] = await Promise.all([
    listPage(source, isCategory ? slug : null, page),
    slug === "" || hasPage ? null : findArticle(source, slug),
  ]);
  const { items, total, categories } = list;
  if (answer !== null) return articlePage("blog", answer, categories, []);
  const category = categories.find((named) => named.slug === slug) ?? null;
  const lastPage = lastPageOf(total);
  if ((slug !== "" && category === null) || page > lastPage) return { kind: "notFound" };
  if (hasPage && page === 1) return { kind: "redirect", to: blogPath(slug, 1), status: 301 };
  const locales = await localesOf(source, category?.slug ?? null, page);
  const common = { section: "blog", categories, locales, navigation: [] } as const;
  return { kind: "page", data: { kind: "list", ...common, items, category, page, lastPage } };
}

/** `/docs`, and each of its articles. */
export async function loadDocs({ params, api, locale }: LocalLoadInput): Promise<Loaded<ContentData>> {
  const slug = (params["below"] ?? "").slice(1);
  if (slug !== "" && !isSlug(slug)) return { kind: "notFound" };
  const source: Source = { api, section: "docs", locale };
  const [{ items, categories }, answer] = await Promise.all([
    listArticles(source, { per_page: String(MAX_DOCS) }),
    slug === "" ? null : findArticle(source, slug),
  ]);
  const navigation = items.map(({ slug: of, title, category }) => ({ slug: of, title, category }));
  if (answer !== null) return articlePage("docs", answer, categories, navigation);
  if (slug !== "") return { kind: "notFound" };
  const common = { section: "docs", categories, locales: [...LOCALES], navigation } as const;
  return { kind: "page", data: { kind: "list", ...common, items, category: null, page: 1, lastPage: 1 } };
}

const articlePage = (
  section: ContentSection,
  { article, translations, related }: ArticleAnswer,
  categories: Categories,
  navigation: readonly DocsEntry[],
): Loaded<ContentData> => ({
  kind: "page",
  data: { kind: "article", section, categories, locales: translations, navigation, article, related },
});

const listPage = (source: Source, category: string | null, page: number): Promise<ArticleList> =>
  listArticles(source, {
    offset: String((page - 1) * PAGE_SIZE),
    per_page: String(PAGE_SIZE),
    ...(category !== null && { category }),
  });

type ListQuery = { offset?: string; per_page: string; category?: string };

/** A part of a list. */
export async function listArticles({ api, section, locale }: Source, query: ListQuery): Promise<ArticleList> {
  const answer = await api.call("content", { params: { section, locale }, query });
  if ("items" in answer) return answer;
  throw new Error("an article was answered where a list was asked for");
}

/** Null where this language has no such article. */
async function findArticle({ api, section, locale }: Source, slug: string): Promise<ArticleAnswer | null> {
  try {
    const answer = await api.call("content", { params: { section, locale }, query: { slug } });
    if ("article" in answer) return answer;
    throw new Error("a list was answered where an article was asked for");
  } catch (error) {
    if (error instanceof CallError && error.code === "ERR_NOT_FOUND") return null;
    throw error;
  }
}

/** The languages that have this page of a list; the whole list's first page is in all of them. */
async function localesOf(source: Source, category: string | null, page: number): Promise<Locale[]> {
  if (category === null && page === 1) return [...LOCALES];
  const has = await Promise.all(
    LOCALES.map(async (locale) => {
      if (locale === source.locale) return true;
      return (await listPage({ ...source, locale }, category, page)).items.length > 0;
    }),
  );
  return LOCALES.filter((_, index) => has[index]);
}
