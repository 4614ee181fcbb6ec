import { expect, test } from "vitest";
import { credit, withdrawal } from "../testing/samples.ts";
import { counts, isOpen, latest, percent } from "./movements.ts";

test("the newest of both lists, whichever they are of", () => {
  const credits = [
    credit({ id: "3", createdAt: "2026-11-21T12:00:00.000Z" }),
    credit({ id: "1", createdAt: "2026-11-01T12:00:00.000Z" }),
  ];
  const withdrawals = [withdrawal({ id: "2", createdAt: "2026-11-20T12:00:00.000Z" })];
  expect(latest(credits, withdrawals, 2).map(({ id }) => id)).toEqual(["3", "2"]);
  expect(latest(credits, withdrawals, 9).map(({ id }) => id)).toEqual(["3", "2", "1"]);
});

test.each([
  [credit({ status: "COMPLETED" }), true],
  [credit({ status: "REVIEW" }), false],
  [credit({ status: "REVERSED" }), false],
  [credit({ status: "REJECTED" }), false],
  [withdrawal({ status: "PENDING" }), true],
  [withdrawal({ status: "REJECTED" }), false],
])("$status of $source changes the balance: %s", (movement, expected) => {
  expect(counts(movement)).toBe(expected);
});

test.each([
  ["PENDING", true],
  ["REVIEW", true],
  ["SENT", true],
  ["COMPLETED", false],
  ["REJECTED", false],
] as const)("a withdrawal that is %s is still under way: %s", (status, expected) => {
  expect(isOpen(withdrawal({ status }))).toBe(expected);
});

test.each([
  [500, "5"],
  [3000, "30"],
  [125, "1.25"],
  [0, "0"],
])("%d basis points are %s %%", (bps, expected) => expect(percent(bps)).toBe(expected));
