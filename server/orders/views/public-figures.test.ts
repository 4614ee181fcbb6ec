import { describe, expect, it } from "vitest";
import { publishedUntil, roundedAmount, roundedMinutes, wholeMinute } from "./public-figures.ts";

describe("the public view of an order", () => {
  it.each([
    [0n, 0n],
    [7n, 7n],
    [99n, 99n],
    [994n, 990n],
    [995n, 1_000n],
    [123_456_789n, 120_000_000n],
    [126_456_789n, 130_000_000n],
    [10n ** 30n + 1n, 10n ** 30n],
  ])("an amount has two digits: %s is %s", (amount, rounded) => {
    expect(roundedAmount(amount)).toBe(rounded);
  });

  it.each([
    ["12:29:59.999", "12:10:00.000"],
    ["12:30:00.000", "12:20:00.000"],
    ["12:39:59.999", "12:20:00.000"],
  ])("a completion is shown after ten whole minutes: at %s those until %s", (now, until) => {
    expect(publishedUntil(new Date(`2026-11-21T${now}Z`), 600_000)).toEqual(new Date(`2026-11-21T${until}Z`));
  });

  it("a time has minutes", () => {
    expect(wholeMinute(new Date("2026-11-21T12:34:59.999Z")).toISOString()).toBe("2026-11-21T12:34:00.000Z");
  });

  it.each([
    [0.4, 60],
    [89, 60],
    [90, 120],
    [412, 420],
  ])("a duration has minutes: %s s is %s s", (seconds, rounded) => {
    expect(roundedMinutes(seconds)).toBe(rounded);
  });
});
