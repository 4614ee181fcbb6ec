import type { Locale } from "../../../shared/i18n/locale.ts";

/** A calendar day, such as `24 November 2026`: the same for readers everywhere. */
export const formatDate = (day: string, locale: Locale): string =>
  new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, { dateStyle: "long", timeZone: "UTC" })
    .format(new Date(day))
    .replace(" г.", "");
