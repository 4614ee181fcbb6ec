import { expect, it } from "vitest";
import { smallestSum, topUpOf } from "./top-up.ts";

const attention = { reason: "BELOW_MINIMUM", expected: "0.0017", received: "0.0014" } as const;

it.each([
  ["what lacks, where that counts", "0.0002", { missing: "0.0003", least: "0.0003", isMore: false }],
  ["what lacks, where just that counts", "0.0003", { missing: "0.0003", least: "0.0003", isMore: false }],
  ["the least that counts, where less lacks", "0.00064", { missing: "0.0003", least: "0.00064", isMore: true }],
  ["what lacks, where any sum counts", null, { missing: "0.0003", least: "0.0003", isMore: false }],
])("an order under its minimum is topped up by %s", (_, countsFrom, expected) => {
  expect(topUpOf({ ...attention, countsFrom }, { precisionDecimals: 18 })).toEqual(expected);
});

it.each([
  ["0.00063949558634535", 18, "0.0006395"],
  ["0.000639500000000001", 18, "0.0006396"],
  ["0.0006395", 18, "0.0006395"],
  ["0.9999999", 8, "1"],
  ["2.00061", 6, "2.001"],
  ["12345.6789", 6, "12346"],
  ["1.23", 2, "1.23"],
  ["20", 6, "20"],
])("a deposit that must reach %s, of a coin with %i decimals, is asked for as %s", (bound, decimals, text) => {
  expect(smallestSum(bound, decimals)).toBe(text);
});

it("what lacks is rounded up to what is displayed, and asked for as it is shown", () => {
  const long = { ...attention, received: "0.001400000000000001", countsFrom: "0.0002" };
  const rounded = { missing: "0.0003", least: "0.0003", isMore: false };
  expect(topUpOf(long, { precisionDecimals: 18 })).toEqual(rounded);
});
