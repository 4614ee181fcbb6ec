import { CodedError } from "#contract/errors.ts";
import type { RedirectRule } from "#contract/site.ts";
import type { Handlers } from "../base/routes.ts";
import { seoTexts } from "./seo-texts.ts";

/** The texts of pages' heads, and where addresses have moved. */
export const contentHandlers = (redirects: readonly RedirectRule[]): Pick<Handlers, "seoTexts" | "redirects"> => ({
  seoTexts({ body }) {
    const { page, locale = "en" } = body.params;
    const texts = seoTexts(page, locale);
    if (texts === null) throw new CodedError("ERR_NOT_FOUND", "No page has this name");
    return texts;
  },
  redirects: () => [...redirects],
});
