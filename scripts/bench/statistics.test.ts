import { expect, test } from "vitest";
import { quantile } from "./statistics.ts";

test("a quantile is a number that was measured", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([quantile(hundred, 0.5), quantile(hundred, 0.99), quantile(hundred, 1)]).toEqual([50, 99, 100]);
  expect(quantile([3], 0.01)).toBe(3);
});

test("of nothing there is no figure", () => {
  expect(quantile([], 0.5)).toBeNaN();
});
