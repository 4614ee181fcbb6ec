import { expect, test } from "vitest";
import { formatGoal, formatValue, isMissed, judge, type Figure } from "./figure.ts";

const size = (value: number): Figure => ({ name: "JS", value, unit: "kB", goal: { atMost: 110_000 } });
const ratio = (value: number): Figure => ({ name: "creation", value, unit: "×", goal: { atLeast: 0.5 } });

test("the budget itself is still within the budget, on either side", () => {
  expect([judge(size(110_000)), judge(size(110_001))]).toEqual(["ok", "OVER"]);
  expect([judge(ratio(0.5)), judge(ratio(0.49))]).toEqual(["ok", "BELOW"]);
});

test("what could not be measured does not pass", () => {
  expect([judge(size(Number.NaN)), judge(ratio(Number.NaN))]).toEqual(["OVER", "BELOW"]);
  expect(formatValue(Number.NaN, "ms")).toBe("none");
});

test("without a goal nothing is judged", () => {
  const figure: Figure = { name: "requests", value: 12, unit: "" };
  expect([judge(figure), isMissed(figure), formatGoal(figure)]).toEqual(["", false, ""]);
});

test("each unit is written as people read it", () => {
  expect(formatValue(109_949, "kB")).toBe("109.9 kB");
  expect(formatValue(249_600_000, "MB")).toBe("250 MB");
  expect(formatValue(1.234, "ms")).toBe("1.23 ms");
  expect(formatValue(1234.5, "ms")).toBe("1235 ms");
  expect(formatValue(17_345.4, "req/s")).toBe("17,345 req/s");
  expect(formatGoal(ratio(1))).toBe("≥ 0.50 ×");
});
