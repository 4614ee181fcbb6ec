import type { Locale } from "../i18n/locale.ts";

type DayParts = { readonly timeZone?: string; readonly month?: "short" | "long"; readonly withYear?: boolean };

/** `21 Nov`, `21 November` or `21 Nov 2026`, of an ISO day or moment; without a time zone by UTC's days. */
export const formatDay = (
  at: string,
  locale: Locale,
  { timeZone = "UTC", month = "short", withYear = false }: DayParts = {},
): string =>
  new Intl.DateTimeFormat(locale === "ru" ? "ru-RU" : "en-GB", {
    timeZone,
    day: "numeric",
    month,
    ...(withYear ? { year: "numeric" } : {}),
  }).format(Date.parse(at));
