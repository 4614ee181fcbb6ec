import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { articleDateSchema, articleSlugSchema, categorySlugSchema } from "#contract/site/content.ts";

/** A file of `content/` that can't be published. The message names the file and the line. */
export class ContentError extends Error {
  constructor(file: string, line: number, message: string) {
    super(`${file}:${line}: ${message}`);
    this.name = "ContentError";
  }
}

export type Positioned = { readonly position?: { readonly start: { readonly line: number } } | undefined };
/** Where what is made of a file stands in it. */
export type Place = {
  lineOf(node: Positioned): number;
  refuse(node: Positioned, message: string): ContentError;
};

/** Control characters but for tabs and line breaks, what turns the text around it, half a letter, and what a file that isn't UTF-8 is read as. */
const UNWRITABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFD-\uFFFF]/u;
const UNWRITABLE_IN_TEXT = new RegExp(`(?![\\t\\n\\r])${UNWRITABLE.source}`, "u");

/** Text of one line; feeds and titles can hold no other. */
export const lineSchema = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !UNWRITABLE.test(text), "has a character that can't be shown");

const frontMatterSchema = z
  .strictObject({
    title: lineSchema(100),
    description: lineSchema(200),
    category: categorySlugSchema,
    tags: z
      .array(
        z
          .string()
          .regex(
            /^[\p{L}\p{N}][\p{L}\p{N} -]{0,31}$/u,
            "a tag is up to 32 letters, digits, spaces and hyphens, and begins with a letter or digit",
          ),
      )
      .max(8)
      .default([]),
    /** Other words that the search finds it by. */
    keywords: z.array(lineSchema(64)).max(16).default([]),
    author: lineSchema(64),
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
  /** The lines of what the front matter says, by its keys. */
  readonly keyLines: Readonly<Record<string, number>>;
};
export type ArticleFile = FrontMatter & Located;

const FRONT_MATTER = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;
/** Longer than any article; what takes long to read is longer. */
const MAX_LENGTH = 512 * 1024;
/** Quotes and lists inside each other take time that grows faster than their number. */
const DEEP = /^[ \t]*(?:(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*){33}/;
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
  title: lineSchema(100),
  description: lineSchema(200),
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
  written: string,
  schema: Schema,
): z.output<Schema> & Pick<Located, "markdown" | "firstLine" | "keyLines"> {
  const text = written.replace(/^\uFEFF/, "");
  refuseUnreadable(file, text);
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
  const pairs = isMap(document.contents) ? document.contents.items : [];
  const keyLines = Object.fromEntries(
    pairs.flatMap(({ key }) => (isScalar(key) && key.range ? [[String(key.value), lineAt(key.range[0])]] : [])),
  );
  return { ...parsed.data, markdown: text.slice(head.length), firstLine: head.split("\n").length, keyLines };
}

/** Throws `ContentError` for the first line that can't be read within bounds, or would be lost in what is made of it. */
function refuseUnreadable(file: string, text: string): void {
  if (text.length > MAX_LENGTH) throw new ContentError(file, 1, `is longer than ${MAX_LENGTH} characters`);
  for (const [index, line] of text.split("\n").entries()) {
    const [unwritable] = UNWRITABLE_IN_TEXT.exec(line) ?? [];
    if (unwritable !== undefined)
      throw new ContentError(file, index + 1, `has a character that can't be shown, ${codeOf(unwritable)}`);
    if (DEEP.test(line)) throw new ContentError(file, index + 1, "quotes or lists are more than 32 deep");
  }
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

const hasRange = (node: unknown): node is { range: [number, number, number] } =>
  typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
