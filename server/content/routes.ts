import { CodedError } from "#contract/errors.ts";
import type { RedirectRule } from "#contract/site/site.ts";
import type { Handlers } from "../base/routes.ts";
import type { Articles } from "./articles.ts";
import type { Pages } from "./pages.ts";
import type { SeoTexts } from "./seo-texts.ts";

/** The texts of pages' heads, where addresses have moved, articles, and the pages about the exchange itself. */
export const contentHandlers = (
  redirects: readonly RedirectRule[],
  articles: Articles,
  seoTexts: SeoTexts,
  pages: Pages,
): Pick<Handlers, "seoTexts" | "redirects" | "content" | "searchIndex" | "page"> => ({
  seoTexts({ body }) {
    const { page, locale = "en" } = body.params;
    const texts = seoTexts(page, locale);
    if (texts === null) throw new CodedError("ERR_NOT_FOUND", "No page has this name");
    return texts;
  },
  redirects: () => [...redirects],
  searchIndex: ({ params }) => articles.searchIndex(params),
  async page({ params: { locale, name } }) {
    const page = await pages.find(locale, name);
    if (page === null) throw new CodedError("ERR_NOT_FOUND", "The pages are not built");
    return page;
  },
  async content({ params, query: { slug, category, offset, per_page } }) {
    if (slug === undefined) return articles.list(params, { category, offset: Number(offset), limit: Number(per_page) });
    const found = await articles.find(params, slug);
    if (found === null) throw new CodedError("ERR_NOT_FOUND", "No article has this address in this language");
    return found;
  },
});
