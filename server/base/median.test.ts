import { expect, test } from "vitest";
import { bigintMedian, median } from "./median.ts";

test("the median is the middle, or between the two in the middle", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([1, 2, 4, 100])).toBe(3);
  expect(median([7])).toBe(7);
  expect(bigintMedian([9n, 1n, 5n])).toBe(5n);
  expect(bigintMedian([1n, 2n, 5n, 100n])).toBe(3n);
  expect(bigintMedian([-4n, 1n])).toBe(-1n);
});

test("of nothing there is no median", () => {
  expect(median([])).toBeNaN();
  expect(bigintMedian([])).toBeNull();
});
