import type { Locale } from "#contract/locale.ts";
import type { Element, Root as Html } from "hast";
import type { Root as Markdown } from "mdast";
import { toString as textOfMarkdown } from "mdast-util-to-string";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { type ArticleFile, ContentError, type Place, type Positioned } from "./article-file.ts";
import { ID_PREFIX, type Link, resolveLinks } from "./links.ts";
import { nameNotes, noteOptions } from "./notes.ts";
import { type ArticlePicture, type Pictures, resolvePictures, writePictures } from "./pictures.ts";

/** A file's Markdown, and where it stands. */
export type Source = Pick<ArticleFile, "file" | "slug" | "markdown" | "firstLine">;

export type RenderContext = {
  readonly locale: Locale;
  /** Where the file with this slug is read; null where nothing is published of it. */
  readonly addressOf: (slug: string) => string | null;
  readonly pictures: Pictures;
};

export type Rendering = {
  readonly markdown: Markdown;
  /** Sanitised. */
  readonly tree: Html;
  /** To pages of this site, to be checked once all are known. */
  readonly links: readonly Link[];
  readonly ids: ReadonlySet<string>;
  readonly pictures: readonly ArticlePicture[];
};

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/**
 * Renders Markdown to HTML of elements that we know. A link to another article is written as its file, `fees.md`, and a picture as its file in
 * `content/pictures`. Throws `ContentError`.
 */
export function toHtml(source: Source, { locale, addressOf, pictures }: RenderContext): Rendering {
  const lineOf = ({ position }: Positioned): number => source.firstLine + (position?.start.line ?? 1) - 1;
  const refuse = (node: Positioned, message: string) => new ContentError(source.file, lineOf(node), message);
  try {
    const markdown = parser.parse(source.markdown);
    refuseUnshown(markdown, { lineOf, refuse });
    refuseUnresolved(markdown, source.markdown, { lineOf, refuse });
    const shown = resolvePictures(markdown, pictures, { lineOf, refuse });
    const links = resolveLinks(markdown, source.slug, addressOf, { lineOf, refuse });
    const tree = unified()
      .use(remarkRehype, noteOptions(locale))
      // The ids here are our own: HTML is refused. What follows adds only elements and attributes of its own.
      .use(rehypeSanitize, { ...defaultSchema, clobber: [] })
      .use(rehypeSlug, { prefix: ID_PREFIX })
      .runSync(markdown);
    nameNotes(tree);
    writePictures(tree, shown);
    markTables(tree);
    return { markdown, tree, links, ids: idsOf(tree, { lineOf, refuse }), pictures: [...shown.values()] };
  } catch (error) {
    if (error instanceof ContentError) throw error;
    throw new ContentError(source.file, source.firstLine, `can't be rendered: ${String(error)}`);
  }
}

const COMMENTS = /^(?:\s*<!--[^]*?-->)+\s*$/;

/** What would be shown otherwise than it is written, or not at all. The page's one `h1` is the article's title. */
function refuseUnshown(tree: Markdown, { refuse }: Place): void {
  visit(tree, (node) => {
    if (node.type === "html" && !COMMENTS.test(node.value))
      throw refuse(node, `HTML is not shown: write Markdown, or \`${node.value.split("\n")[0]}\` as code`);
    if (node.type === "listItem" && typeof node.checked === "boolean")
      throw refuse(node, "a list has no boxes to tick: leave out the [ ]");
    if (node.type !== "heading") return;
    if (node.depth === 1) throw refuse(node, "headings begin at ##");
    if (textOfMarkdown(node, { includeImageAlt: false }).trim() === "") throw refuse(node, "a heading needs words");
  });
}

/** Brackets of a note or of a link whose definition is missing, as they stand in the file; `\\[` means the character. */
const UNDEFINED_NOTE = /(?<!\\)\[\^[^\]\s]{1,100}\]/;
const UNDEFINED_LINK = /(?<!\\)\]\[[^\]\n]{0,100}\]/;

/** Notes and references of which one half is missing: the other is lost, or shown as it is written. */
function refuseUnresolved(tree: Markdown, written: string, { refuse }: Place): void {
  const used = new Set<string>();
  visit(tree, "footnoteReference", ({ identifier }) => void used.add(identifier));
  visit(tree, (node) => {
    if (node.type === "footnoteDefinition" && !used.has(node.identifier))
      throw refuse(node, `nothing refers to the footnote [^${node.label ?? node.identifier}]`);
    if (node.type !== "text") return;
    const source = written.slice(node.position?.start.offset, node.position?.end.offset);
    const [note] = UNDEFINED_NOTE.exec(source) ?? [];
    if (note !== undefined) throw refuse(node, `the footnote ${note} has no definition; write \\[ for the character`);
    const [link] = UNDEFINED_LINK.exec(source) ?? [];
    if (link !== undefined)
      throw refuse(node, `the link ${link.slice(1)} has no definition; write \\[ for the character`);
  });
}

/** Throws `ContentError` where two elements have one id: a link can lead to the first alone. */
function idsOf(tree: Html, { refuse }: Place): ReadonlySet<string> {
  const named = new Map<string, Element>();
  visit(tree, "element", (element: Element) => {
    const { id } = element.properties;
    if (typeof id !== "string") return;
    const other = named.get(id);
    if (other !== undefined) {
      const heading = [element, other].find(({ tagName }) => /^h[2-6]$/.test(tagName));
      throw refuse(
        element.position === undefined ? other : (heading ?? element),
        `the heading's id ${id} is taken: change its words`,
      );
    }
    named.set(id, element);
  });
  return new Set(named.keys());
}

/** Wide tables and code scroll by themselves, so the keyboard must reach them. */
function markTables(tree: Html): void {
  visit(tree, "element", (element: Element, index, parent) => {
    if (element.tagName === "pre") element.properties["tabIndex"] = 0;
    if (element.tagName !== "table" || parent === undefined || index === undefined) return;
    const scroll: Element = { type: "element", tagName: "div", properties: { tabIndex: 0 }, children: [element] };
    scroll.properties["className"] = ["table-scroll"];
    parent.children[index] = scroll;
    return index + 2;
  });
}
