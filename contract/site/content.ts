import * as z from "zod/mini";
import { LOCALES } from "../locale.ts";

export const CONTENT_SECTIONS = ["blog", "docs"] as const;
export type ContentSection = (typeof CONTENT_SECTIONS)[number];

export const contentParamsSchema = z.object({
  section: z.enum(CONTENT_SECTIONS),
  locale: z.enum(LOCALES),
});

const SEGMENT = "[a-z0-9]+(?:-[a-z0-9]+)*";
/** An article's address below `/blog` or `/docs`: one or more segments, such as `guides/first-exchange`. */
export const articleSlugSchema = z
  .string()
  .check(z.maxLength(200), z.regex(new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`), "must be segments such as fixed-rate"));

export const categorySlugSchema = z
  .string()
  .check(z.maxLength(64), z.regex(new RegExp(`^${SEGMENT}$`), "must be a segment such as orders"));

/** The article with this slug; without one, a part of the list (contract §12). */
export const contentQuerySchema = z.object({
  slug: z.optional(articleSlugSchema),
  category: z.optional(categorySlugSchema),
  offset: z._default(z.string().check(z.regex(/^\d{1,6}$/, "must be a number from 0")), "0"),
  per_page: z._default(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, "must be a number from 1 to 100")), "20"),
});

export const articleDateSchema = z.iso.date();

/** An article as lists name it (contract §12). */
const articleItemSchema = z.object({
  slug: articleSlugSchema,
  title: z.string(),
  description: z.string(),
  category: categorySlugSchema,
  tags: z.array(z.string()),
  author: z.string(),
  publishedAt: articleDateSchema,
  updatedAt: z.nullable(articleDateSchema),
  /** Reading time. */
  minutes: z.int(),
  /** Its picture without width and format, such as `/covers/boat-0123456789`; see `covers.ts`. */
  cover: z.nullable(z.string().check(z.regex(/^\/covers\/[a-z0-9-]+$/))),
});
export type ArticleItem = z.infer<typeof articleItemSchema>;

const tocEntrySchema = z.object({ id: z.string(), text: z.string(), depth: z.union([z.literal(2), z.literal(3)]) });
export type TocEntry = z.infer<typeof tocEntrySchema>;

const articleLinkSchema = z.object({ slug: articleSlugSchema, title: z.string() });

/** What the build makes of an article's text. */
export const articleTextSchema = z.object({
  /** Sanitised at build time. */
  html: z.string(),
  toc: z.array(tocEntrySchema),
});
export type ArticleText = z.infer<typeof articleTextSchema>;

const articleSchema = z.extend(articleItemSchema, {
  ...articleTextSchema.shape,
  previous: z.nullable(articleLinkSchema),
  next: z.nullable(articleLinkSchema),
});

const articleCategorySchema = z.object({ slug: categorySlugSchema, title: z.string() });

export const articleListSchema = z.object({
  items: z.array(articleItemSchema),
  total: z.int(),
  /** Those that have articles in the list's language. */
  categories: z.array(z.extend(articleCategorySchema, { count: z.int() })),
});
export const articleAnswerSchema = z.object({
  article: articleSchema,
  /** Languages that have the article, its own included. */
  translations: z.array(z.enum(LOCALES)),
  related: z.array(articleItemSchema),
});

export const contentAnswerSchema = z.union([articleListSchema, articleAnswerSchema]);

export type ArticleList = z.infer<typeof articleListSchema>;
export type ArticleAnswer = z.infer<typeof articleAnswerSchema>;

/** An index of MiniSearch as it writes it, with the options of `ARTICLE_SEARCH`. */
export const searchIndexSchema = z.object({ index: z.string() });

/** The options that the index of the docs is made and read with: a document is a section of an article. */
export const ARTICLE_SEARCH = {
  idField: "id",
  fields: ["title", "heading", "text"],
  storeFields: ["slug", "title", "heading", "anchor"],
};

/** What the build writes of one section in one language: items in the order of its pages, and all categories. */
export const articleIndexSchema = z.object({
  items: z.array(articleItemSchema),
  categories: z.array(articleCategorySchema),
});
export type ArticleIndex = z.infer<typeof articleIndexSchema>;
