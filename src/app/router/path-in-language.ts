import type { ContentData } from "../../features/content/load.ts";
import type { Locale } from "#contract/locale.ts";
import type { PageView } from "./page-view.ts";

/** The path at which the page is read in a language: where the language lacks an article or a list, that of its section. */
export function pathInLanguage(
  { view, path }: { readonly view: PageView; readonly path: string },
  locale: Locale,
): string {
  if (view.kind !== "page" || (view.route.name !== "blog" && view.route.name !== "docs")) return path;
  return (view.data as ContentData).locales.includes(locale) ? path : `/${view.route.name}`;
}
