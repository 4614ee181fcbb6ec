import { expect, it } from "vitest";
import { largestOf, smallestOf } from "./extremes.ts";

it("finds the extremes among more values than a call has arguments", () => {
  const values = Array.from({ length: 1_000_000 }, (_, at) => (at * 7_919) % 1_000_003);
  expect(() => Math.max(...values)).toThrow(RangeError);
  const sorted = values.toSorted((one, other) => one - other);
  expect([smallestOf(values), largestOf(values)]).toEqual([sorted[0], sorted.at(-1)]);
});

it("finds none among none", () => {
  expect([smallestOf([]), largestOf([])]).toEqual([Infinity, -Infinity]);
});
