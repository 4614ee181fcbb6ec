import { describe, expect, it } from "vitest";
import enContent from "../../../../locales/en/content.json" with { type: "json" };
import enInfo from "../../../../locales/en/info.json" with { type: "json" };
import ruContent from "../../../../locales/ru/content.json" with { type: "json" };
import ruInfo from "../../../../locales/ru/info.json" with { type: "json" };
import { formatDate } from "./format-date.ts";

const DAYS = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, "0")}-0${(month % 9) + 1}`);

describe("a calendar day", () => {
  it.each([
    ["en-GB", enContent.months],
    ["en-GB", enInfo.months],
    ["ru", ruContent.months],
    ["ru", ruInfo.months],
  ])("reads in %s as readers know it", (locale, months) => {
    const known = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
    for (const day of DAYS) expect(formatDate(day, months)).toBe(known.format(new Date(day)).replace(" г.", ""));
  });
});
