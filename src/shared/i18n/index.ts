import { use } from "react";
import { I18nContext } from "react-i18next";
import { type I18n, localeOf } from "./create-i18n.ts";
import type { Locale } from "#contract/locale.ts";

/** The page's instance itself: `useTranslation` gives each component a wrapper of its own, which is no key and no dependency. */
export function useI18n(): I18n {
  const i18n = use(I18nContext)?.i18n;
  if (i18n === undefined) throw new Error("useI18n needs an I18nextProvider");
  return i18n;
}

/** The language of the page that the component is on. */
export const useLocale = (): Locale => localeOf(useI18n());
