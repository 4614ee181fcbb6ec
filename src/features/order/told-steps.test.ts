import { afterEach, expect, it } from "vitest";
import { localStore } from "../../shared/browser/storage.ts";
import { takeUntold } from "./told-steps.ts";

const KEY = "wherry-told-steps";

afterEach(() => localStore.remove(KEY));

it("gives each step of an order once, also to the next page load, and each order its own", () => {
  expect(takeUntold("A", ["deposit seen"])).toEqual(["deposit seen"]);
  expect(takeUntold("A", ["deposit seen", "exchange completed"])).toEqual(["exchange completed"]);
  expect(takeUntold("A", ["deposit seen", "exchange completed"])).toEqual([]);
  expect(takeUntold("B", ["deposit seen"])).toEqual(["deposit seen"]);
  expect(localStorage.getItem(KEY)).toBe('[["A",["deposit seen","exchange completed"]],["B",["deposit seen"]]]');
});

it("forgets the orders that were told of longest ago", () => {
  for (let order = 0; order <= 50; order += 1) takeUntold(`${order}`, ["deposit seen"]);
  expect(takeUntold("1", ["deposit seen"])).toEqual([]);
  expect(takeUntold("0", ["deposit seen"])).toEqual(["deposit seen"]);
});

it.each(["{", "[1]", '{"A":[]}', '[["A",7]]'])("begins anew where %s is kept", (kept) => {
  localStore.set(KEY, kept);
  expect(takeUntold("A", ["email set"])).toEqual(["email set"]);
});
