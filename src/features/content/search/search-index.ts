import MiniSearch from "minisearch";
import * as z from "zod/mini";
import { ARTICLE_SEARCH, type ContentSection } from "#contract/site/content.ts";
import type { Locale } from "#contract/locale.ts";
import { readSearchIndex } from "../api.ts";

const foundSchema = z.object({ slug: z.string(), title: z.string(), heading: z.string(), anchor: z.string() });
export type Found = z.infer<typeof foundSchema>;
export type Search = (words: string) => Found[];

const MAX_FOUND = 8;
const TOP_BOOST = 3;

/** Loads the index of a section in a language. */
export async function loadSearch(section: ContentSection, locale: Locale): Promise<Search> {
  const { index } = await readSearchIndex({ section, locale });
  if (index === "") return () => [];
  const search = MiniSearch.loadJSON(index, ARTICLE_SEARCH);
  const options = {
    prefix: true,
    fuzzy: 0.2,
    boost: { title: 4, heading: 2 },
    combineWith: "AND" as const,
    // Every section has its page's title: who searches for that begins at the page's top.
    boostDocument: (_id: string, _term: string, stored?: Record<string, unknown>) =>
      stored?.["anchor"] === "" ? TOP_BOOST : 1,
  };
  return (words) =>
    search
      .search(words, options)
      .slice(0, MAX_FOUND)
      .map((found) => foundSchema.parse(found));
}
