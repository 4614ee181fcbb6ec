import { expect, test } from "vitest";
import { median, quantile } from "./statistics.ts";

test("the median is the middle, or between the two in the middle", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([1, 2, 4, 100])).toBe(3);
  expect(median([7])).toBe(7);
});

test("a quantile is a number that was measured", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([quantile(hundred, 0.5), quantile(hundred, 0.99), quantile(hundred, 1)]).toEqual([50, 99, 100]);
  expect(quantile([3], 0.01)).toBe(3);
});

test("of nothing there is no figure", () => {
  expect(median([])).toBeNaN();
  expect(quantile([], 0.5)).toBeNaN();
});
