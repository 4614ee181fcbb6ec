import { posix } from "node:path";
import type { Element, Root as Html } from "hast";
import type { Root as Markdown } from "mdast";
import { toString as textOfHtml } from "hast-util-to-string";
import { toString as textOfMarkdown } from "mdast-util-to-string";
import rehypeSanitize from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import rehypeStarryNight from "rehype-starry-night";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import type { ArticleText, TocEntry } from "#contract/site/content.ts";
import { type ArticleFile, ContentError } from "./article-file.ts";

/** A heading with the text up to the next one; the first has none. */
export type Part = { readonly anchor: string; readonly heading: string; readonly text: string };

/** A file's Markdown, and where it stands. */
export type Source = Pick<ArticleFile, "file" | "slug" | "markdown" | "firstLine">;

export type RenderedArticle = ArticleText & { readonly minutes: number; readonly parts: readonly Part[] };

/** Ids of headings begin so: a heading named "Page data" must not take the id of an element of the app. */
export const ID_PREFIX = "section-";
/** With a scheme, or a page of this site. */
const IS_ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;
const WORDS_PER_MINUTE = 200;

/**
 * Renders an article's Markdown to sanitised HTML. A link to another article is written as its file, `fees.md`; `addressOf` says where the
 * file with this slug is read, or null where there is none. Throws `ContentError`.
 */
export async function renderArticle(
  article: Source,
  addressOf: (slug: string) => string | null,
): Promise<RenderedArticle> {
  const toc: TocEntry[] = [];
  const parts: Part[] = [];
  let words = 0;
  const html = await unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(() => (tree: Markdown) => {
      refuseTopHeadings(tree, article);
      resolveLinks(tree, article, addressOf);
      words = wordsOf(tree);
    })
    .use(remarkRehype)
    // What follows adds only elements and attributes of its own.
    .use(rehypeSanitize)
    .use(rehypeSlug, { prefix: ID_PREFIX })
    .use(rehypeStarryNight)
    .use(() => (tree: Html) => {
      toc.push(...tocOf(tree));
      parts.push(...partsOf(tree));
      markTables(tree);
    })
    .use(rehypeStringify)
    .process(article.markdown);
  return { html: String(html), toc, minutes: Math.max(1, Math.round(words / WORDS_PER_MINUTE)), parts };
}

const lineIn = ({ firstLine }: Source, position: { start: { line: number } } | undefined): number =>
  firstLine + (position?.start.line ?? 1) - 1;

/** The page's one `h1` is the article's title. */
export function refuseTopHeadings(tree: Markdown, article: Source): void {
  visit(tree, "heading", ({ depth, position }) => {
    if (depth === 1) throw new ContentError(article.file, lineIn(article, position), "headings begin at ##");
  });
}

/** Links to other articles are written as their files. Throws `ContentError` for one that is not there. */
export function resolveLinks(tree: Markdown, article: Source, addressOf: (slug: string) => string | null): void {
  visit(tree, ["link", "definition"], (node) => {
    if ((node.type !== "link" && node.type !== "definition") || IS_ABSOLUTE.test(node.url)) return;
    const [path = "", anchor] = node.url.split("#");
    if (path === "") return void (node.url = `#${ID_PREFIX}${anchor}`);
    const slug = posix.normalize(posix.join(posix.dirname(article.slug), path.replace(/\.md$/, "")));
    const address = addressOf(slug);
    if (address === null)
      throw new ContentError(article.file, lineIn(article, node.position), `the link ${node.url} leads nowhere`);
    node.url = anchor === undefined ? address : `${address}#${ID_PREFIX}${anchor}`;
  });
}

/** Code is not read word by word. */
function wordsOf(tree: Markdown): number {
  const texts: string[] = [];
  visit(tree, ["heading", "paragraph", "tableCell"], (node) => void texts.push(textOfMarkdown(node)));
  return texts.join(" ").split(/\s+/).filter(Boolean).length;
}

function tocOf(tree: Html): TocEntry[] {
  const entries: TocEntry[] = [];
  visit(tree, "element", (element: Element) => {
    const depth = element.tagName === "h2" ? 2 : element.tagName === "h3" ? 3 : null;
    if (depth === null) return;
    entries.push({ id: String(element.properties["id"]), text: textOfHtml(element), depth });
  });
  return entries;
}

/** What the search finds: each heading of the contents with its text. */
function partsOf(tree: Html): Part[] {
  const parts = [{ anchor: "", heading: "", text: "" }];
  for (const node of tree.children) {
    const isHeading = node.type === "element" && /^h[23]$/.test(node.tagName);
    if (isHeading) parts.push({ anchor: String(node.properties["id"]), heading: textOfHtml(node), text: "" });
    const last = parts.at(-1);
    if (!isHeading && last !== undefined && node.type === "element") last.text += `${textOfHtml(node)} `;
  }
  return parts;
}

/** Wide tables and code scroll by themselves, so the keyboard must reach them. */
export function markTables(tree: Html): void {
  visit(tree, "element", (element: Element, index, parent) => {
    if (element.tagName === "pre") element.properties["tabIndex"] = 0;
    if (element.tagName !== "table" || parent === undefined || index === undefined) return;
    const scroll: Element = { type: "element", tagName: "div", properties: { tabIndex: 0 }, children: [element] };
    scroll.properties["className"] = ["table-scroll"];
    parent.children[index] = scroll;
    return index + 2;
  });
}
