import { DATE_TAGS, type Locale } from "#contract/locale.ts";
import { formatDateTime } from "./format-time.ts";

/** `21 Nov, 14:38` in the year of `now`, milliseconds, and `21 Nov 2025` before; without a time zone by UTC's days. */
export function formatMoment(iso: string, locale: Locale, { now, timeZone = "UTC" }: MomentParts): string {
  const isThisYear = new Date(iso).getUTCFullYear() === new Date(now).getUTCFullYear();
  const day = formatDay(iso, locale, { timeZone, withYear: !isThisYear });
  return isThisYear ? `${day}, ${formatDateTime(iso, locale, { timeZone, precision: "time" })}` : day;
}

type MomentParts = { readonly now: number; readonly timeZone?: string };
type DayParts = { readonly timeZone?: string; readonly month?: "short" | "long"; readonly withYear?: boolean };

/** `21 Nov`, `21 November` or `21 Nov 2026`, of an ISO day or moment; without a time zone by UTC's days. */
export const formatDay = (
  at: string,
  locale: Locale,
  { timeZone = "UTC", month = "short", withYear = false }: DayParts = {},
): string =>
  new Intl.DateTimeFormat(DATE_TAGS[locale], {
    timeZone,
    day: "numeric",
    month,
    ...(withYear ? { year: "numeric" } : {}),
  }).format(Date.parse(at));
