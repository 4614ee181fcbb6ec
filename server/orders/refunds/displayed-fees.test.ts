import { expect, test } from "vitest";
import { toMinor } from "#contract/money.ts";
import { createDisplayedFees } from "./displayed-fees.ts";

const at = (ms: number) => new Date(1_800_000_000_000 + ms);
const fee = toMinor<"from">(7n);

test("a fee counts while it is valid, for its order and as it was displayed", () => {
  const shown = createDisplayedFees(600_000);
  shown.add("a", fee, at(0));
  expect(shown.wasDisplayed("a", 7n, at(600_000))).toBe(true);
  expect(shown.wasDisplayed("a", 7n, at(600_001))).toBe(false);
  expect(shown.wasDisplayed("a", 6n, at(0))).toBe(false);
  expect(shown.wasDisplayed("b", 7n, at(0))).toBe(false);
});

test("one that others made the server display later doesn't replace it", () => {
  const shown = createDisplayedFees(600_000);
  shown.add("a", fee, at(0));
  for (let later = 0n; later < 39n; later += 1n) shown.add("a", toMinor<"from">(100n + later), at(1));
  expect(shown.wasDisplayed("a", 7n, at(2))).toBe(true);
  shown.add("a", toMinor<"from">(200n), at(1));
  expect(shown.wasDisplayed("a", 7n, at(2))).toBe(false);
});

test("the oldest are forgotten", () => {
  const shown = createDisplayedFees(600_000);
  for (let order = 0; order <= 5_000; order += 1) shown.add(`${order}`, fee, at(0));
  expect([shown.wasDisplayed("0", 7n, at(0)), shown.wasDisplayed("1", 7n, at(0))]).toEqual([false, true]);
});
