import type { Locale } from "#contract/locale.ts";
import MiniSearch from "minisearch";
import { ARTICLE_SEARCH } from "#contract/site/content.ts";
import en from "../../../locales/en/api.json" with { type: "json" };
import ru from "../../../locales/ru/api.json" with { type: "json" };
import type { ArticleFile } from "./article-file.ts";
import type { Part, RenderedArticle } from "./render-article.ts";

const API_TEXTS = { en, ru } as const;

/** The reference of the partner API stands among the docs, and is no article. */
export const apiReference = (locale: Locale): Found => {
  const { title, lead } = API_TEXTS[locale].reference;
  return { id: "api#", slug: "api", title, anchor: "", heading: "", text: lead };
};

type Found = Part & { readonly id: string; readonly slug: string; readonly title: string };

/**
 * The index of all that is out today, `search.json`, and one for each later day on which something comes out, `search-2026-12-01.json`: the server gives
 * that of its day, so that nobody can search what is not published yet.
 */
export function searchFiles(
  rendered: readonly [ArticleFile, RenderedArticle][],
  others: readonly Found[],
  today: string,
): Map<string, MiniSearch> {
  const days = new Set(rendered.map(([{ publishedAt }]) => publishedAt).filter((day) => day > today));
  const indexOn = (day: string): MiniSearch => {
    const index = new MiniSearch<Found>(ARTICLE_SEARCH);
    index.addAll(others);
    for (const [{ slug, title, publishedAt, keywords }, { parts }] of rendered)
      if (publishedAt <= day)
        index.addAll(
          parts.map(({ anchor, heading, text }) => ({
            id: `${slug}#${anchor}`,
            slug,
            title,
            anchor,
            heading,
            text: anchor === "" ? `${text}${keywords.join(" ")}` : text,
          })),
        );
    return index;
  };
  return new Map([
    ["search.json", indexOn(today)],
    ...[...days].map((day) => [`search-${day}.json`, indexOn(day)] as const),
  ]);
}
