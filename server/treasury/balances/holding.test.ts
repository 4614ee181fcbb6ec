import { describe, expect, it } from "vitest";
import { certainSurplus, compareHolding, maxFees, type Books } from "./holding.ts";

const books: Books = {
  expected: 1000n,
  underWay: 300n,
  unbookedFees: [4n, 12n],
  unsettled: 1n,
  unsettledSum: 400n,
  unmeasured: 0n,
};

describe("a balance against the ledger", () => {
  it.each([
    [1000n, { kind: "agrees" }],
    [700n, { kind: "agrees" }],
    [678n, { kind: "agrees" }],
    [677n, { kind: "short", by: 1n }],
    [1001n, { kind: "surplus", by: 1n }],
  ])("of %i is judged", (actual, verdict) => {
    expect(compareHolding(books, actual, maxFees(books, 10n))).toEqual(verdict);
  });
});

describe("what is certain of a surplus", () => {
  it.each([
    ["is nothing while payments under way explain it", books, 422n, 0n],
    ["is what is beyond them", books, 423n, 1n],
    ["is nothing while something moves whose sum is unknown", { ...books, unmeasured: 1n }, 5000n, 0n],
    ["is all of it while nothing is under way", { ...books, unsettled: 0n }, 5n, 5n],
  ])("%s", (_, given, surplus, certain) => {
    expect(certainSurplus(given, surplus, maxFees(given, 10n))).toBe(certain);
  });
});
