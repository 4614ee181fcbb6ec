import { expect, it } from "vitest";
import en from "../../../../locales/en/prices.json" with { type: "json" };
import ru from "../../../../locales/ru/prices.json" with { type: "json" };
import { pointDay, pointTime } from "./point-time.ts";

const AT = Date.UTC(2026, 10, 21, 4, 5) / 1_000;

it("a chart's time has the day, the month's short name, the year and the time", () => {
  expect(pointTime(AT, en.chart.months, "UTC")).toBe("21 Nov 2026, 04:05");
  expect(pointTime(AT, ru.chart.months, "UTC")).toBe("21 нояб. 2026, 04:05");
  expect(pointDay(AT, ru.chart.months)).toBe("21 нояб.");
});

it.each([
  ["en-GB", en.chart.months],
  ["ru", ru.chart.months],
])("months are those that readers know in %s", (locale, months) => {
  const known = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  for (let month = 0; month < 12; month += 1) {
    const at = Date.UTC(2026, month, 9);
    expect(pointDay(at / 1_000, months)).toBe(known.format(at));
  }
});
