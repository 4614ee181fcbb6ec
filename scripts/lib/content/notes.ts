import type { Element, Root as Html } from "hast";
import type { Options } from "remark-rehype";
import { visit } from "unist-util-visit";
import en from "../../../locales/en/content.json" with { type: "json" };
import ru from "../../../locales/ru/content.json" with { type: "json" };

const TEXTS = { en: en.article, ru: ru.article } as const;

/** The heading of an article's footnotes, which its contents leave out. */
export const NOTES_ID = "section-note-list";
/** What remark-rehype calls it. */
const WRITTEN_ID = "footnote-label";

/** Footnotes in the language of their page, under ids that no heading and no element of the app has. */
export const noteOptions = (locale: keyof typeof TEXTS): Options => ({
  clobberPrefix: "section-note-",
  footnoteLabel: TEXTS[locale].notes,
  // Its default hides the heading from who sees the page.
  footnoteLabelProperties: {},
  footnoteBackLabel: (note, use) =>
    TEXTS[locale].toNote.replace("{{number}}", `${note + 1}${use > 1 ? `.${use}` : ""}`),
});

/** Gives the heading of the footnotes its id, in the links that name it too. */
export function nameNotes(tree: Html): void {
  visit(tree, "element", ({ properties }: Element) => {
    if (properties["id"] === WRITTEN_ID) properties["id"] = NOTES_ID;
    const described = properties["ariaDescribedBy"];
    if (Array.isArray(described))
      properties["ariaDescribedBy"] = described.map((id) => (id === WRITTEN_ID ? NOTES_ID : id));
  });
}
