import { afterEach, expect, it } from "vitest";
import { localStore } from "../../../shared/browser/storage.ts";
import { takeUnsentEvents } from "./unsent-events.ts";

const KEY = "wherry-told-steps";

afterEach(() => localStore.remove(KEY));

it("returns each step of an order once, also to the next page load, and each order's own", () => {
  expect(takeUnsentEvents("A", ["deposit seen"])).toEqual(["deposit seen"]);
  expect(takeUnsentEvents("A", ["deposit seen", "exchange completed"])).toEqual(["exchange completed"]);
  expect(takeUnsentEvents("A", ["deposit seen", "exchange completed"])).toEqual([]);
  expect(takeUnsentEvents("B", ["deposit seen"])).toEqual(["deposit seen"]);
  expect(localStorage.getItem(KEY)).toBe('[["A",["deposit seen","exchange completed"]],["B",["deposit seen"]]]');
});

it("forgets the orders that were reported longest ago", () => {
  for (let order = 0; order <= 50; order += 1) takeUnsentEvents(`${order}`, ["deposit seen"]);
  expect(takeUnsentEvents("1", ["deposit seen"])).toEqual([]);
  expect(takeUnsentEvents("0", ["deposit seen"])).toEqual(["deposit seen"]);
});

it.each(["{", "[1]", '{"A":[]}', '[["A",7]]'])("begins anew where %s is stored", (kept) => {
  localStore.set(KEY, kept);
  expect(takeUnsentEvents("A", ["email set"])).toEqual(["email set"]);
});
