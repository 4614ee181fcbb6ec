import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  builtPageSchema,
  fillValues,
  type BuiltBlock,
  type BuiltPage,
  type PageAnswer,
  type PageName,
  type PageValue,
  type Rating,
  valuesIn,
} from "#contract/site/pages.ts";
import type { Locale } from "#contract/locale.ts";
import { escapeMarkup } from "#contract/site/escape-markup.ts";
import type { SiteFile } from "./site-file.ts";

export type Pages = {
  /** Null where nothing is built. */
  find(locale: Locale, name: PageName): Promise<PageAnswer | null>;
};

/** Figures of the configuration, as text. */
export type PageFigures = Readonly<
  Record<
    | "affiliatePercent"
    | "cashbackPercent"
    | "withdrawalMin"
    | "earningsCoin"
    | "rateLockMinutes"
    | "documentDays"
    | "connectivityHost",
    string
  >
>;

export type PagesParts = {
  /** Where the build wrote `{locale}/{name}.json`. */
  folder: string;
  siteFile: SiteFile;
  figures: PageFigures;
  /** Whether anybody reads what the forms send. */
  hasForms: boolean;
  /** The newest one of the operator's source. */
  rating(): Rating | null;
};

/** The pages about the exchange itself, filled with what the operator says: what has an empty value is left out. */
export function openPages({ folder, siteFile, figures, hasForms, rating }: PagesParts): Pages {
  const built = new Map<string, Promise<BuiltPage>>();
  const read = (file: string): Promise<BuiltPage> => {
    const page = built.get(file) ?? readPage(file);
    built.set(file, page);
    // A file that can't be read is read again by the next one who asks.
    page.catch(() => built.delete(file));
    return page;
  };
  return {
    async find(locale, name) {
      const file = join(folder, locale, `${name}.json`);
      if (!built.has(file) && !existsSync(file)) return null;
      const { company, email, links } = siteFile;
      const page = fillPage(await read(file), { ...figures, ...valuesOf(siteFile, locale) });
      return { ...page, operator: { company, email, links }, hasForms, rating: rating() ?? siteFile.rating };
    },
  };
}

const readPage = async (file: string): Promise<BuiltPage> =>
  builtPageSchema.parse(JSON.parse(await readFile(file, "utf8")));

type Values = Readonly<Record<PageValue, string | null>>;

const valuesOf = ({ company, email, jurisdictions }: SiteFile, locale: Locale): Omit<Values, keyof PageFigures> => ({
  "company.name": company?.name ?? null,
  "company.registration": company?.registration ?? null,
  "company.address": company?.address ?? null,
  email,
  law: jurisdictions.law?.[locale] ?? null,
  excluded: jurisdictions.excluded?.[locale] ?? null,
});

type FilledPage = Omit<PageAnswer, "operator" | "hasForms" | "rating">;

/**
 * A page with the values in their places. A paragraph that names an empty one is left out, and with its last paragraph a question or a section.
 *
 * @internal Exported for its tests.
 */
export function fillPage({ title, description, updatedAt, blocks, sections }: BuiltPage, values: Values): FilledPage {
  const valueOf = (name: string): string | null => (name in values ? values[name as PageValue] : null);
  const fill = (text: string, write = (value: string) => value) =>
    fillValues(text, (name) => write(valueOf(name) ?? ""));
  const isFull = ({ text }: BuiltBlock) => valuesIn(text).every((name) => valueOf(name) !== null);
  const htmlOf = (some: readonly BuiltBlock[]) =>
    some
      .filter(isFull)
      .map(({ html }) => fill(html, escapeMarkup))
      .join("\n");
  const textOf = (some: readonly BuiltBlock[]) =>
    some
      .filter(isFull)
      .map(({ text }) => fill(text))
      .join(" ");
  return {
    title,
    description: fill(description),
    updatedAt,
    html: htmlOf(blocks),
    sections: sections
      .map((section) => ({
        id: section.id,
        title: section.title,
        html: htmlOf(section.blocks),
        questions: section.questions
          .map(({ id, title: asked, blocks: answer }) => ({
            id,
            title: asked,
            html: htmlOf(answer),
            text: textOf(answer),
          }))
          .filter(({ html }) => html !== ""),
      }))
      .filter(({ html, questions }) => html !== "" || questions.length > 0),
  };
}
