import type { Element, Root as Html } from "hast";
import type { Root as Markdown } from "mdast";
import { toString as textOfHtml } from "hast-util-to-string";
import { toString as textOfMarkdown } from "mdast-util-to-string";
import rehypeStarryNight from "rehype-starry-night";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import type { ArticleText, TocEntry } from "#contract/site/content.ts";
import { NOTES_ID } from "./notes.ts";
import { type RenderContext, type Rendering, type Source, toHtml } from "./render-markdown.ts";

/** A heading with the text up to the next one; the first has none. */
export type Part = { readonly anchor: string; readonly heading: string; readonly text: string };

export type RenderedArticle = ArticleText &
  Pick<Rendering, "links" | "ids" | "pictures"> & { readonly minutes: number; readonly parts: readonly Part[] };

const WORDS_PER_MINUTE = 200;

/** Renders an article's Markdown to sanitised HTML. Throws `ContentError`. */
export async function renderArticle(article: Source, context: RenderContext): Promise<RenderedArticle> {
  const { markdown, tree, links, ids, pictures } = toHtml(article, context);
  const coloured = await unified().use(rehypeStarryNight).run(tree);
  return {
    html: unified().use(rehypeStringify).stringify(coloured),
    toc: tocOf(coloured),
    minutes: Math.max(1, Math.round(wordsOf(markdown) / WORDS_PER_MINUTE)),
    parts: partsOf(coloured),
    links,
    ids,
    pictures,
  };
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
    const id = String(element.properties["id"]);
    if (depth !== null && id !== NOTES_ID) entries.push({ id, text: textOfHtml(element), depth });
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
