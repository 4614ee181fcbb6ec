import { parentPort } from "node:worker_threads";
import rehypeParse from "rehype-parse";
import rehypeSanitize, { defaultSchema, type Options } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";

/** They are files of the other host, which our pages may not load. */
const PICTURES = ["img", "picture", "source"];

/** What our own build writes into an article, but for its pictures, and nothing else: ids of sections, colours of code, and boxes that scroll. */
const SCHEMA: Options = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => !PICTURES.includes(name)),
  // Ids outside of the pattern are dropped, so none can take the place of an element of the app.
  clobber: [],
  attributes: {
    ...defaultSchema.attributes,
    "*": [...(defaultSchema.attributes?.["*"] ?? []).filter((name) => name !== "id"), ["id", /^section-/]],
    pre: ["tabIndex"],
    code: [["className", /^language-[\w-]+$/]],
    span: [["className", /^pl-[\w-]+$/]],
    div: [["className", "table-scroll", /^highlight$/], "tabIndex"],
  },
};

const processor = unified().use(rehypeParse, { fragment: true }).use(rehypeSanitize, SCHEMA).use(rehypeStringify);

/** An article's HTML from another host without anything that runs, loads or looks like a part of the app. */
const sanitiseArticle = async (html: string): Promise<string> => String(await processor.process(html));

// A thread of its own for texts of other hosts: it is ended when one takes too much.
parentPort?.on("message", (html: string) => {
  sanitiseArticle(html).then(
    (sanitised) => parentPort?.postMessage({ html: sanitised }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  );
});
