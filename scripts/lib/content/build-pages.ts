import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Element } from "hast";
import { toString as textOf } from "hast-util-to-string";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import {
  type BuiltBlock,
  type BuiltPage,
  PAGE_NAMES,
  PAGE_VALUES,
  type PageName,
  valuesIn,
} from "#contract/site/pages.ts";
import { type Locale, localeBase } from "#contract/locale.ts";
import { ContentError, parsePage, type PageFile } from "./article-file.ts";
import { type RenderContext, type Rendering, toHtml } from "./render-markdown.ts";
type BuiltParts = Pick<Rendering, "links" | "ids" | "pictures"> & { readonly page: BuiltPage; readonly file: string };

/**
 * The pages about the exchange itself, `content/pages/{locale}/{name}.md`, which a language must have all of. `##` begins a section and `###` a
 * question of it. `docsHas` says whether the docs have an article. Throws `ContentError`.
 */
export function buildPages(
  source: string,
  { locale, pictures }: Pick<RenderContext, "locale" | "pictures">,
  docsHas: (slug: string) => boolean,
): Map<PageName, BuiltParts> {
  const folder = join(source, "pages", locale);
  if (!existsSync(join(source, "pages"))) return new Map();
  if (!existsSync(folder)) throw new ContentError(folder, 1, "is missing");
  for (const file of readdirSync(folder))
    if (!file.startsWith(".") && !PAGE_NAMES.some((name) => file === `${name}.md`))
      throw new ContentError(join(folder, file), 1, `no page has this name: they are ${PAGE_NAMES.join(", ")}`);
  const addressOf = addressesIn(locale, docsHas);
  return new Map(
    PAGE_NAMES.map((name) => {
      const file = join(folder, `${name}.md`);
      if (!existsSync(file)) throw new ContentError(file, 1, "is missing");
      return [name, buildPage(parsePage(file, name, readFileSync(file, "utf8")), { locale, pictures, addressOf })];
    }),
  );
}

/** Links name files: `terms.md`, `../../docs/en/fees.md`. */
const addressesIn =
  (locale: Locale, docsHas: (slug: string) => boolean) =>
  (slug: string): string | null => {
    const base = localeBase(locale);
    const docs = `../../docs/${locale}/`;
    if (!slug.startsWith(docs)) return PAGE_NAMES.some((one) => one === slug) ? `${base}/${slug}` : null;
    const article = slug.slice(docs.length);
    return docsHas(article) ? `${base}/docs/${article}` : null;
  };

const html = unified().use(rehypeStringify).freeze();

/** @internal Exported for its tests. */
export function buildPage(page: PageFile, context: RenderContext): BuiltParts {
  const { tree, links, ids, pictures } = toHtml(page, context);
  refuseUnknownValues(textOf(tree), page);
  const { title, description, updatedAt } = page;
  const built: BuiltPage = { title, description, updatedAt, blocks: [], sections: [] };
  for (const node of tree.children) {
    const section = built.sections.at(-1);
    if (node.type !== "element") continue;
    if (node.tagName === "h2") built.sections.push({ ...headingOf(node), blocks: [], questions: [] });
    else if (node.tagName === "h3") {
      if (section === undefined)
        throw new ContentError(
          page.file,
          page.firstLine + (node.position?.start.line ?? 1) - 1,
          "a question stands before the first ##",
        );
      section.questions.push({ ...headingOf(node), blocks: [] });
    } else {
      const block: BuiltBlock = { html: html.stringify({ type: "root", children: [node] }), text: textOf(node) };
      (section?.questions.at(-1) ?? section ?? built).blocks.push(block);
    }
  }
  return { page: built, file: page.file, links, ids, pictures };
}

const headingOf = (node: Element): { id: string; title: string } => ({
  id: String(node.properties["id"]),
  title: textOf(node),
});

function refuseUnknownValues(text: string, { file, firstLine, markdown }: PageFile): void {
  const unknown = valuesIn(text).find((name) => !PAGE_VALUES.some((value) => value === name));
  if (unknown === undefined) return;
  const line = markdown.split("\n").findIndex((written) => written.includes(`{{${unknown}}}`));
  throw new ContentError(file, firstLine + Math.max(0, line), `nothing has the name {{${unknown}}}`);
}
