import type { Locale } from "#contract/locale.ts";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { seoAnswerSchema } from "#contract/site/site.ts";

/** A page's SEO texts as translation keys (spec §2, guard 5); the page fills in placeholders such as `{{from}}`. Null for an unknown page. */
export type SeoTexts = (page: string, locale: Locale) => z.output<typeof seoAnswerSchema> | null;

const FOLDER = fileURLToPath(new URL("../../locales/", import.meta.url));
/** A key may be missing: the check of guard 5 names it. */
const pageSchema = z.strictObject({ title: z.string(), shareTitle: z.string(), description: z.string() }).partial();
type Page = z.output<typeof pageSchema>;

/** The files `{locale}/seo/{page}.json` of `folder`. Throws where one can't be read, and names it. */
export function openSeoTexts(folder = FOLDER): SeoTexts {
  const pages = { en: readPages(join(folder, "en/seo")), ru: readPages(join(folder, "ru/seo")) };
  return (page, locale) => {
    const texts = pages[locale].get(page);
    return texts === undefined ? null : keysOf(page, texts);
  };
}

function keysOf(page: string, { title, shareTitle, description }: Page): Record<string, string> {
  const shared =
    shareTitle === undefined || description === undefined
      ? undefined
      : JSON.stringify({ title: shareTitle, description });
  const keys = { title, description, openGraph: shared, twitter: shared };
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, text]) => (text === undefined ? [] : [[`seo.${page}.${key}`, text]])),
  );
}

function readPages(folder: string): ReadonlyMap<string, Page> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return new Map(files.map((file) => [basename(file, ".json"), readPage(join(folder, file))]));
}

function readPage(file: string): Page {
  try {
    return pageSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new Error(`the SEO texts ${file} can't be read`, { cause: error });
  }
}
