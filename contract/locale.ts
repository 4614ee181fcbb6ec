/** The languages of the product (spec §3). Whatever depends on them derives from this list, or is a record that needs a new one. */
export const LOCALES = ["en", "ru"] as const;
export type Locale = (typeof LOCALES)[number];

/** Its pages have no prefix, and it is what a person gets who named no language of ours. */
export const DEFAULT_LOCALE: Locale = "en";

export const LOCALE_NAMES: Record<Locale, string> = { en: "English", ru: "Русский" };

/** BCP 47 tags for dates and times: `21 Nov 2026`. */
export const DATE_TAGS: Record<Locale, string> = { en: "en-GB", ru: "ru-RU" };

/** What comes before a page's path: `/ru`, or nothing. */
export const localeBase = (locale: Locale): string => (locale === DEFAULT_LOCALE ? "" : `/${locale}`);

/** `/` → `/ru`, `/exchange-a-b` → `/ru/exchange-a-b`; unchanged for the default. `path` is without prefix. */
export const localePath = (locale: Locale, path: string): string =>
  path === "/" ? localeBase(locale) || path : localeBase(locale) + path;

/** The locale of a path and the path without its prefix. */
export function splitLocale(path: string): { locale: Locale; path: string } {
  for (const locale of LOCALES) {
    const base = localeBase(locale);
    if (base === "") continue;
    if (path === base) return { locale, path: "/" };
    if (path.startsWith(`${base}/`)) return { locale, path: path.slice(base.length) };
  }
  return { locale: DEFAULT_LOCALE, path };
}

/** The locale of a name; the default for one that we don't have, or none. */
export const toLocale = (name: string | null | undefined): Locale =>
  LOCALES.find((known) => known === name) ?? DEFAULT_LOCALE;

/** The locale of an IETF language tag such as `ru-RU`. */
export const localeOfTag = (tag: string | null | undefined): Locale => toLocale(tag?.split("-", 1)[0]?.toLowerCase());
