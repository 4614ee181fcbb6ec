import type { z } from "zod";
import type { seoAnswerSchema } from "#contract/site.ts";
import en from "../../locales/en/seo.json" with { type: "json" };
import ru from "../../locales/ru/seo.json" with { type: "json" };

type Texts = { title: string; shareTitle: string; description: string };

const pages: Record<"en" | "ru", Readonly<Record<string, Texts>>> = { en, ru };

/** A page's SEO texts as translation keys (spec §2, guard 5), holes such as `{{from}}` left to the page; null for an unknown page. */
export function seoTexts(page: string, locale: "en" | "ru"): z.output<typeof seoAnswerSchema> | null {
  if (!Object.hasOwn(pages[locale], page)) return null;
  const texts = pages[locale][page];
  if (texts === undefined) return null;
  const { title, shareTitle, description } = texts;
  const shared = JSON.stringify({ title: shareTitle, description });
  return {
    [`seo.${page}.title`]: title,
    [`seo.${page}.description`]: description,
    [`seo.${page}.openGraph`]: shared,
    [`seo.${page}.twitter`]: shared,
  };
}
