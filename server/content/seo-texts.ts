import type { z } from "zod";
import type { seoAnswerSchema } from "#contract/site.ts";
import { messagesOf } from "../base/i18n.ts";

/** A page's SEO texts as translation keys (spec §2, guard 5); the page fills in placeholders such as `{{from}}`. Null for an unknown page. */
export function seoTexts(page: string, locale: "en" | "ru"): z.output<typeof seoAnswerSchema> | null {
  const pages = messagesOf(locale, "seo");
  if (!isPageOf(pages, page)) return null;
  const { title, shareTitle, description } = pages[page];
  const shared = JSON.stringify({ title: shareTitle, description });
  return {
    [`seo.${page}.title`]: title,
    [`seo.${page}.description`]: description,
    [`seo.${page}.openGraph`]: shared,
    [`seo.${page}.twitter`]: shared,
  };
}

const isPageOf = <Pages extends object>(pages: Pages, page: PropertyKey): page is keyof Pages =>
  Object.hasOwn(pages, page);
