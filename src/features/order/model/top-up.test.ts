import { expect, it } from "vitest";
import { topUpOf } from "./top-up.ts";

const attention = { reason: "BELOW_MINIMUM", expected: "0.0017", received: "0.0014" } as const;

it.each([
  ["what lacks, where that counts", "0.0002", { missing: "0.0003", least: "0.0003", isMore: false }],
  ["what lacks, where just that counts", "0.0003", { missing: "0.0003", least: "0.0003", isMore: false }],
  ["the least that counts, where less lacks", "0.00064", { missing: "0.0003", least: "0.00064", isMore: true }],
  ["what lacks, where any sum counts", null, { missing: "0.0003", least: "0.0003", isMore: false }],
])("an order under its minimum is topped up by %s", (_, countsFrom, expected) => {
  expect(topUpOf({ ...attention, countsFrom })).toEqual(expected);
});
