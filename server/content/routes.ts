import { CodedError } from "#contract/errors.ts";
import type { z } from "zod";
import type { RedirectRule, seoAnswerSchema } from "#contract/site.ts";
import type { Handlers } from "../base/routes.ts";
import { messagesOf } from "../base/i18n.ts";
import type { Articles } from "./articles.ts";

/** The texts of pages' heads, where addresses have moved, and articles. */
export const contentHandlers = (
  redirects: readonly RedirectRule[],
  articles: Articles,
): Pick<Handlers, "seoTexts" | "redirects" | "content" | "docsIndex"> => ({
  seoTexts({ body }) {
    const { page, locale = "en" } = body.params;
    const texts = seoTexts(page, locale);
    if (texts === null) throw new CodedError("ERR_NOT_FOUND", "No page has this name");
    return texts;
  },
  redirects: () => [...redirects],
  docsIndex: ({ params: { locale } }) => articles.docsIndex(locale),
  async content({ params, query: { slug, category, offset, per_page } }) {
    if (slug === undefined) return articles.list(params, { category, offset: Number(offset), limit: Number(per_page) });
    const found = await articles.find(params, slug);
    if (found === null) throw new CodedError("ERR_NOT_FOUND", "No article has this address in this language");
    return found;
  },
});

/**
 * A page's SEO texts as translation keys (spec §2, guard 5); the page fills in placeholders such as `{{from}}`. Null for an unknown page.
 *
 * @internal Exported for its tests.
 */
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
