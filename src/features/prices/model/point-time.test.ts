import { afterEach, describe, expect, it, vi } from "vitest";
import en from "../../../../locales/en/prices.json" with { type: "json" };
import ru from "../../../../locales/ru/prices.json" with { type: "json" };
import { axisText, drawnTimes, markText, pointTime, type TimeTexts } from "./point-time.ts";

const AT = Date.UTC(2026, 10, 21, 4, 5) / 1_000;
const UTC: TimeTexts = { range: "24h", months: en.chart.months, clock: "UTC" };
const OWN: TimeTexts = { ...UTC, clock: "own" };
const RUSSIAN: TimeTexts = { ...UTC, months: ru.chart.months };

afterEach(() => vi.unstubAllEnvs());

it("a chart's time has the day, the month's short name, the year and the time", () => {
  expect(pointTime(AT, UTC)).toBe("21 Nov 2026, 04:05");
  expect(pointTime(AT, RUSSIAN)).toBe("21 нояб. 2026, 04:05");
  expect(axisText(AT, { ...RUSSIAN, range: "7d" })).toBe("21 нояб.");
});

describe.each([
  ["Europe/Moscow", "07:05", "21 Nov"],
  ["America/New_York", "23:05", "20 Nov"],
])("in %s", (zone, time, day) => {
  it("the reading, the axis and the marks show one time", () => {
    vi.stubEnv("TZ", zone);
    expect(pointTime(AT, OWN)).toBe(`${day} 2026, ${time}`);
    expect(axisText(AT, OWN)).toBe(time);
    expect(axisText(AT, { ...OWN, range: "7d" })).toBe(day);
    expect([markText(AT, "time", OWN), markText(AT, "day", OWN)]).toEqual([time, day]);
  });

  it.each(["1y", "all"] as const)("a point of a whole day is that day of UTC, without a time, for %s", (range) => {
    vi.stubEnv("TZ", zone);
    const midnight = Date.UTC(2026, 10, 21) / 1_000;
    const texts = { ...OWN, range };
    expect(pointTime(midnight, texts)).toBe("21 Nov 2026");
    expect(axisText(midnight, texts)).toBe("21 Nov 2026");
    expect(["year", "month", "day"].map((kind) => markText(midnight, kind as "year", texts))).toEqual([
      "2026",
      "Nov",
      "21 Nov",
    ]);
    expect(drawnTimes([midnight], texts)).toEqual([midnight]);
  });

  it("the drawing's days begin with those of the clock", () => {
    vi.stubEnv("TZ", zone);
    const midnight = new Date(2026, 10, 21).getTime() / 1_000;
    expect(drawnTimes([midnight], OWN)).toEqual([Date.UTC(2026, 10, 21) / 1_000]);
  });
});

it("the drawn times ascend through the hour that the end of summer time repeats", () => {
  vi.stubEnv("TZ", "America/New_York");
  const from = Date.UTC(2026, 10, 1, 4) / 1_000;
  const drawn = drawnTimes(
    Array.from({ length: 240 }, (_, minute) => from + minute * 60),
    OWN,
  );
  expect(drawn).toEqual([...new Set(drawn)].toSorted((one, other) => one - other));
});

it.each([
  ["en-GB", en.chart.months],
  ["ru", ru.chart.months],
])("months are those that readers know in %s", (locale, months) => {
  const known = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  for (let month = 0; month < 12; month += 1) {
    const at = Date.UTC(2026, month, 9);
    expect(axisText(at / 1_000, { range: "1m", months, clock: "UTC" })).toBe(known.format(at));
  }
});
