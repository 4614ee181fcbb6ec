import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Element } from "hast";
import type { Root as Markdown } from "mdast";
import { toString as textOf } from "hast-util-to-string";
import rehypeSanitize from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import {
  type BuiltBlock,
  type BuiltPage,
  PAGE_NAMES,
  PAGE_VALUES,
  type PageName,
  valuesIn,
} from "#contract/site/pages.ts";
import { ContentError, parsePage, type PageFile } from "./article-file.ts";
import { ID_PREFIX, markTables, refuseTopHeadings, resolveLinks } from "./render-article.ts";

type Locale = "en" | "ru";

/**
 * The pages about the exchange itself, `content/pages/{locale}/{name}.md`, which a language must have all of. `##` begins a section and `###` a
 * question of it. `docsHas` says whether the docs have an article. Throws `ContentError`.
 */
export const buildPages = (
  source: string,
  locale: Locale,
  docsHas: (slug: string) => boolean,
): Map<PageName, BuiltPage> =>
  new Map(
    (existsSync(join(source, "pages")) ? PAGE_NAMES : []).map((name) => {
      const file = join(source, "pages", locale, `${name}.md`);
      return [name, buildPage(parsePage(file, name, readFileSync(file, "utf8")), addressesIn(locale, docsHas))];
    }),
  );

/** Links name files: `terms.md`, `../../docs/en/fees.md`. */
const addressesIn =
  (locale: Locale, docsHas: (slug: string) => boolean) =>
  (slug: string): string | null => {
    const base = locale === "en" ? "" : `/${locale}`;
    const docs = `../../docs/${locale}/`;
    if (!slug.startsWith(docs)) return PAGE_NAMES.some((one) => one === slug) ? `${base}/${slug}` : null;
    const article = slug.slice(docs.length);
    return docsHas(article) ? `${base}/docs/${article}` : null;
  };

/** @internal Exported for its tests. */
export function buildPage(page: PageFile, addressOf: (slug: string) => string | null): BuiltPage {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(() => (tree: Markdown) => {
      refuseTopHeadings(tree, page);
      resolveLinks(tree, page, addressOf);
    })
    .use(remarkRehype)
    .use(rehypeSanitize)
    .use(rehypeSlug, { prefix: ID_PREFIX })
    .use(() => markTables)
    .use(rehypeStringify);
  const tree = processor.runSync(processor.parse(page.markdown));
  refuseUnknownValues(textOf(tree), page);
  const { title, description, updatedAt } = page;
  const built: BuiltPage = { title, description, updatedAt, blocks: [], sections: [] };
  for (const node of tree.children) {
    const section = built.sections.at(-1);
    if (node.type !== "element") continue;
    if (node.tagName === "h2") built.sections.push({ ...headingOf(node), blocks: [], questions: [] });
    else if (node.tagName === "h3") {
      if (section === undefined)
        throw new ContentError(page.file, page.firstLine, "a question stands before the first ##");
      section.questions.push({ ...headingOf(node), blocks: [] });
    } else {
      const block: BuiltBlock = { html: processor.stringify({ type: "root", children: [node] }), text: textOf(node) };
      (section?.questions.at(-1) ?? section ?? built).blocks.push(block);
    }
  }
  return built;
}

const headingOf = (node: Element): { id: string; title: string } => ({
  id: String(node.properties["id"]),
  title: textOf(node),
});

function refuseUnknownValues(text: string, { file, firstLine }: PageFile): void {
  const unknown = valuesIn(text).find((name) => !PAGE_VALUES.some((value) => value === name));
  if (unknown !== undefined) throw new ContentError(file, firstLine, `nothing has the name {{${unknown}}}`);
}
