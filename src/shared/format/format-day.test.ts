import { expect, test } from "vitest";
import { formatDay } from "./format-day.ts";

test.each([
  ["2026-11-21", "en", {}, "21 Nov"],
  ["2026-11-21", "ru", {}, "21 нояб."],
  ["2026-11-21", "en", { month: "long" }, "21 November"],
  ["2031-03-14", "en", { withYear: true }, "14 Mar 2031"],
  ["2026-11-21T23:30:00Z", "en", { timeZone: "Europe/Moscow" }, "22 Nov"],
] as const)("%s in %s with %j is %s", (at, locale, parts, expected) => {
  expect(formatDay(at, locale, parts)).toBe(expected);
});
