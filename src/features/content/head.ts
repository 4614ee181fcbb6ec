import type { TFunction } from "i18next";
import type { Locale } from "#contract/locale.ts";
import type { ContentData } from "./load.ts";
import { blogPath } from "./model/blog-path.ts";

type HeadTexts = {
  readonly title: string;
  readonly description: string;
  readonly values: Readonly<Record<string, string>>;
  readonly locales: readonly Locale[];
  readonly hasPicture: boolean;
  readonly article?: { readonly publishedAt: string; readonly updatedAt: string | null };
  readonly feed?: string;
  readonly parents: readonly { readonly name: string; readonly path: string }[];
};

const ns = { ns: "content" } as const;

/** The head of a list or an article of the blog or the docs. */
export function contentHead(data: ContentData, t: TFunction): HeadTexts {
  const title = titleOf(data, t);
  const description = data.kind === "article" ? data.article.description : t(`${data.section}.description`, { ...ns });
  const values = { title, description };
  const hasPicture = data.kind === "article";
  return {
    title: `${title} · Wherry`,
    description,
    values,
    locales: data.locales,
    hasPicture,
    ...(data.kind === "article" && { article: data.article }),
    ...(data.section === "blog" && { feed: "/blog/feed.xml" }),
    parents: parentsOf(data, t),
  };
}

function titleOf(data: ContentData, t: TFunction): string {
  if (data.kind === "article") return data.article.title;
  const { category, page, section } = data;
  const name = category?.title ?? t(`${section}.title`, ns);
  return page === 1 ? name : t("paging.title", { ...ns, name, page });
}

/** The pages above this one, from the section down. */
export function parentsOf(data: ContentData, t: TFunction): { name: string; path: string }[] {
  const { section } = data;
  const isRoot = data.kind === "list" && data.category === null && data.page === 1;
  if (isRoot) return [];
  const root = { name: t(`${section}.title`, ns), path: `/${section}` };
  const slug = data.kind === "article" ? data.article.category : data.page > 1 ? data.category?.slug : undefined;
  const category = section === "blog" ? data.categories.find((named) => named.slug === slug) : undefined;
  return category === undefined ? [root] : [root, { name: category.title, path: blogPath(category.slug, 1) }];
}
