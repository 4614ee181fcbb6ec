import { LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { articleDateSchema, articleSlugSchema, categorySlugSchema } from "#contract/site/content.ts";

/** A file of `content/` that can't be published. The message names the file and the line. */
export class ContentError extends Error {
  constructor(file: string, line: number, message: string) {
    super(`${file}:${line}: ${message}`);
    this.name = "ContentError";
  }
}

const frontMatterSchema = z
  .strictObject({
    title: z.string().trim().min(1).max(100),
    description: z.string().trim().min(1).max(200),
    category: categorySlugSchema,
    tags: z
      .array(z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} -]{0,31}$/u))
      .max(8)
      .default([]),
    author: z.string().trim().min(1).max(64),
    publishedAt: articleDateSchema,
    updatedAt: z.nullable(articleDateSchema).default(null),
    /** Place in the docs; the blog is ordered by date. */
    order: z.int().min(0).default(0),
    /** The name of a drawing in `content/covers`. */
    cover: z.nullable(categorySlugSchema).default(null),
    /** Is not published at all. */
    draft: z.boolean().default(false),
  })
  .refine(({ publishedAt, updatedAt }) => updatedAt === null || updatedAt >= publishedAt, {
    path: ["updatedAt"],
    message: "is before publishedAt",
  });
type FrontMatter = z.output<typeof frontMatterSchema>;

type Located = {
  readonly file: string;
  readonly slug: string;
  readonly markdown: string;
  /** The line of the file on which the Markdown begins. */
  readonly firstLine: number;
};
export type ArticleFile = FrontMatter & Located;

const FRONT_MATTER = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;
/** The last segment of `/blog/page2` is a page number. */
const PAGE_NUMBER = /(?:^|\/)page\d+$/;

/** Reads one article. `slug` is its path without `.md` below the language's folder. Throws `ContentError`. */
export function parseArticle(file: string, slug: string, text: string): ArticleFile {
  if (!articleSlugSchema.safeParse(slug).success || PAGE_NUMBER.test(slug))
    throw new ContentError(file, 1, `"${slug}" can't be an address: lower-case words joined by "-", and no "page1"`);
  return { file, slug, ...readFrontMatter(file, text, frontMatterSchema) };
}

/** A page about the exchange itself: its address is its name, and it has no author and no category. */
const pageFrontMatterSchema = z.strictObject({
  title: z.string().trim().min(1).max(100),
  description: z.string().trim().min(1).max(200),
  updatedAt: z.nullable(articleDateSchema).default(null),
});

export type PageFile = z.output<typeof pageFrontMatterSchema> & Located;

/** Reads one file of `content/pages`. Throws `ContentError`. */
export const parsePage = (file: string, slug: string, text: string): PageFile => ({
  file,
  slug,
  ...readFrontMatter(file, text, pageFrontMatterSchema),
});

/** What stands between the two lines `---`, by its schema, and the Markdown below. Throws `ContentError`. */
function readFrontMatter<Schema extends z.ZodType<object>>(
  file: string,
  text: string,
  schema: Schema,
): z.output<Schema> & { markdown: string; firstLine: number } {
  const match = FRONT_MATTER.exec(text);
  if (match?.index !== 0) throw new ContentError(file, 1, "the front matter between two lines --- is missing");
  const lines = new LineCounter();
  const document = parseDocument(match[1] ?? "", { lineCounter: lines });
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1;
  const broken = document.errors[0] ?? document.warnings[0];
  if (broken) throw new ContentError(file, lineAt(broken.pos[0]), broken.message.split("\n")[0] ?? "is not YAML");
  const parsed = schema.safeParse(document.toJS());
  if (!parsed.success) {
    const { path, message, ...issue } = parsed.error.issues[0] ?? { path: [], message: "is wrong" };
    const unknown = "keys" in issue ? issue.keys : [];
    const node: unknown = document.getIn(unknown.length > 0 ? unknown : path, true);
    const range = hasRange(node) ? node.range[0] : 0;
    throw new ContentError(file, lineAt(range), `${path.join(".") || "front matter"}: ${message}`);
  }
  const head = match[0];
  return { ...parsed.data, markdown: text.slice(head.length), firstLine: head.split("\n").length };
}

const hasRange = (node: unknown): node is { range: [number, number, number] } =>
  typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
