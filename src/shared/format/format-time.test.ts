import { allMessages } from "../i18n/all-messages.ts";
import { describe, expect, it } from "vitest";
import {
  datePartsOf,
  formatAbout,
  formatAge,
  formatClock,
  formatDateTime,
  formatDuration,
  formatTime,
} from "./format-time.ts";
import { createI18n } from "../i18n/create-i18n.ts";

const t = createI18n("en", allMessages("en")).getFixedT(null, "common");
const r = createI18n("ru", allMessages("ru")).getFixedT(null, "common");

describe("durations", () => {
  it.each([
    [-3, "0\u00A0s"],
    [59.9, "59\u00A0s"],
    [60, "1\u00A0min"],
    [4_560, "1\u00A0h 16\u00A0min"],
    [3_600, "1\u00A0h"],
    [90_000, "1\u00A0d 1\u00A0h"],
  ])("reads %s seconds as %s", (seconds, shown) => expect(formatDuration(t, seconds)).toBe(shown));

  it("rounds a promise up to whole minutes", () => {
    expect(formatAbout(t, 301)).toBe("about 6\u00A0min");
    expect(formatAbout(r, 12)).toBe("около 1\u00A0мин");
  });

  it("writes an age in its largest unit, and never one of the future", () => {
    expect(formatAge(t, 12)).toBe("12\u00A0s ago");
    expect(formatAge(t, 7_300)).toBe("2\u00A0h ago");
    expect(formatAge(t, -50)).toBe("just now");
    expect(formatAge(r, 61)).toBe("1\u00A0мин назад");
  });

  it.each([
    [86_400, "1\u00A0day ago", "1\u00A0день назад"],
    [2 * 86_400, "2\u00A0days ago", "2\u00A0дня назад"],
    [5.5 * 86_400, "5\u00A0days ago", "5\u00A0дней назад"],
    [21 * 86_400, "21\u00A0days ago", "21\u00A0день назад"],
  ])("counts %s seconds in the language's days", (seconds, english, russian) => {
    expect(formatAge(t, seconds)).toBe(english);
    expect(formatAge(r, seconds)).toBe(russian);
  });

  it("counts down with two digits", () => {
    expect(formatClock(872)).toBe("14:32");
    expect(formatClock(3_605)).toBe("1:00:05");
    expect(formatClock(-1)).toBe("00:00");
  });
});

describe("moments", () => {
  it("are in UTC unless a zone is named", () => {
    expect(formatDateTime("2026-11-21T14:38:06Z", "en", { precision: "seconds" })).toBe("21 Nov 2026, 14:38:06");
    expect(formatDateTime("2026-11-21T23:38:06Z", "en", { timeZone: "Europe/Berlin" })).toBe("22 Nov 2026, 00:38");
    expect(formatDateTime("2026-11-21T14:38:06Z", "ru", { precision: "time" })).toBe("14:38");
    expect(formatDateTime("2026-11-21T23:38:06Z", "en", { timeZone: "Asia/Kolkata", precision: "time" })).toBe("05:08");
  });

  it("of a day read the same on a clock as in its zone", () => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    for (const iso of ["2026-11-21T00:05:59Z", "2026-07-21T23:38:06.123Z"]) {
      expect(formatTime(iso, "UTC")).toBe(formatDateTime(iso, "en", { precision: "time" }));
      expect(formatTime(iso, "own")).toBe(formatDateTime(iso, "ru", { timeZone: own, precision: "time" }));
    }
  });

  it.each(["en", "ru"] as const)("of an order have the words of Intl in every month (%s)", (locale) => {
    const order = createI18n(locale, allMessages(locale)).getFixedT(null, "order");
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    for (let month = 1; month <= 12; month += 1) {
      const iso = `2026-${String(month).padStart(2, "0")}-28T23:38:06Z`;
      const shown = (clock: "own" | "UTC") => order("moment", datePartsOf(iso, order("months"), clock));
      expect(shown("UTC")).toBe(formatDateTime(iso, locale));
      expect(shown("own")).toBe(formatDateTime(iso, locale, { timeZone }));
    }
  });
});
