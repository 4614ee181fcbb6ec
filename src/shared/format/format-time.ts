import type { TFunction } from "i18next";
import { DATE_TAGS, type Locale } from "#contract/locale.ts";

type T = TFunction<"common">;

/** `45 s`, `6 min`, `1 h 16 min`, `2 d 3 h`: at most two units, rounded down. */
export function formatDuration(t: T, seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  if (whole < 60) return t("time.seconds", { n: whole });
  if (hours < 1) return t("time.minutes", { n: minutes });
  if (hours < 24) return two(t("time.hours", { n: hours }), minutes % 60, t("time.minutes", { n: minutes % 60 }));
  const days = Math.floor(hours / 24);
  return two(t("time.days", { n: days }), hours % 24, t("time.hours", { n: hours % 24 }));
}

const two = (first: string, rest: number, second: string): string => (rest === 0 ? first : `${first} ${second}`);

/** `about 6 min`, rounded up to whole minutes, since a promise of time errs on the long side. */
export const formatAbout = (t: T, seconds: number): string =>
  t("time.about", { duration: formatDuration(t, Math.max(60, Math.ceil(seconds / 60) * 60)) });

/** `12 s ago`; `just now` for less than five seconds and for what seems to lie ahead. */
export function formatAge(t: T, seconds: number): string {
  if (seconds < 5) return t("time.justNow");
  if (seconds >= 86_400) return t("time.daysAgo", { count: Math.floor(seconds / 86_400) });
  return t("time.ago", { duration: largestUnit(t, Math.floor(seconds)) });
}

function largestUnit(t: T, seconds: number): string {
  if (seconds < 60) return t("time.seconds", { n: seconds });
  if (seconds < 3_600) return t("time.minutes", { n: Math.floor(seconds / 60) });
  return t("time.hours", { n: Math.floor(seconds / 3_600) });
}

/** `14:32`, of a clock that counts down; hours only when there are any. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (n: number) => n.toString().padStart(2, "0");
  const hours = Math.floor(whole / 3_600);
  const rest = `${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

type DateParts = {
  readonly timeZone?: string;
  readonly precision?: "seconds" | "minutes" | "time";
  /** Names the zone behind the time, as `GMT+3`. */
  readonly withZone?: boolean;
};

/** `21 Nov 2026, 14:38:06`; without a time zone it is UTC (pass `useTimeZone()`). `time` gives `14:38` alone. */
export function formatDateTime(
  iso: string,
  locale: Locale,
  { timeZone = "UTC", precision = "minutes", withZone = false }: DateParts = {},
): string {
  const at = new Date(iso);
  if (precision === "time" && timeZone === "UTC") return timeOfDay(at.getUTCHours(), at.getUTCMinutes());
  return formatter(locale, timeZone, precision, withZone).format(at);
}

/** `14:38` on the device's own clock or on UTC's (pass `useClock()`), without Intl, whose first formatter takes a phone long. */
export function formatTime(iso: string, clock: "own" | "UTC"): string {
  const at = new Date(iso);
  return clock === "UTC" ? timeOfDay(at.getUTCHours(), at.getUTCMinutes()) : timeOfDay(at.getHours(), at.getMinutes());
}

/**
 * The parts of `21 Nov 2026, 14:38`, on the device's own clock or on UTC's. Without Intl, as `formatTime`: its first formatter took
 * 18 ms of an order's hydration. `months` have spaces between them.
 */
export function datePartsOf(iso: string, months: string, clock: "own" | "UTC") {
  const at = new Date(iso);
  const [day, month, year] =
    clock === "UTC"
      ? [at.getUTCDate(), at.getUTCMonth(), at.getUTCFullYear()]
      : [at.getDate(), at.getMonth(), at.getFullYear()];
  return { day, month: months.split(" ")[month] ?? "", year, time: formatTime(iso, clock) };
}

const timeOfDay = (hours: number, minutes: number): string =>
  [hours, minutes].map((part) => part.toString().padStart(2, "0")).join(":");

const formatters = new Map<string, Intl.DateTimeFormat>();

/** One for each look of a time: making them is what costs. */
function formatter(
  locale: Locale,
  timeZone: string,
  precision: DateParts["precision"],
  withZone: boolean,
): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${precision} ${withZone}`;
  const made = formatters.get(key);
  if (made) return made;
  const fresh = new Intl.DateTimeFormat(DATE_TAGS[locale], {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(withZone ? { timeZoneName: "short" } : {}),
    ...(precision === "seconds" ? { second: "2-digit" } : {}),
    ...(precision === "time" ? {} : { day: "numeric", month: "short", year: "numeric" }),
  });
  formatters.set(key, fresh);
  return fresh;
}
