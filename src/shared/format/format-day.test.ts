import { expect, test } from "vitest";
import { formatDay, formatMoment } from "./format-day.ts";

test.each([
  ["2026-11-21", "en", {}, "21 Nov"],
  ["2026-11-21", "ru", {}, "21 нояб."],
  ["2026-11-21", "en", { month: "long" }, "21 November"],
  ["2031-03-14", "en", { withYear: true }, "14 Mar 2031"],
  ["2026-11-21T23:30:00Z", "en", { timeZone: "Europe/Moscow" }, "22 Nov"],
] as const)("%s in %s with %j is %s", (at, locale, parts, expected) => {
  expect(formatDay(at, locale, parts)).toBe(expected);
});

test.each([
  ["2026-11-21T23:30:00Z", "en", "UTC", "21 Nov, 23:30"],
  ["2026-11-21T23:30:00Z", "ru", "Europe/Moscow", "22 нояб., 02:30"],
  ["2025-11-21T23:30:00Z", "en", "UTC", "21 Nov 2025"],
] as const)("%s in %s at %s is %s in November 2026", (iso, locale, timeZone, expected) => {
  expect(formatMoment(iso, locale, { now: Date.UTC(2026, 10, 27), timeZone })).toBe(expected);
});
