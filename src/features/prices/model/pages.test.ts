import { expect, it } from "vitest";
import { isPage, pageOf } from "./pages.ts";

const coins = Array.from({ length: 120 }, (_, n) => n);

it.each([
  [null, true],
  ["2", true],
  ["3", true],
  ["1", false],
  ["4", false],
  ["0", false],
  ["02", false],
  ["x", false],
  ["", false],
])("page %s is one of three: %s", (page, expected) => {
  expect(isPage(coins.length, page)).toBe(expected);
});

it.each([
  [null, 0, 50, 1],
  ["2", 50, 50, 2],
  ["3", 100, 20, 3],
])("page %s begins with %d", (page, first, count, at) => {
  const { shown, ...named } = pageOf(coins, page, true);
  expect([shown[0], shown.length, named]).toEqual([first, count, { page: at, pages: 3 }]);
});

it("what was searched for is shown from its beginning", () => {
  expect(pageOf(coins, "3", false)).toMatchObject({ shown: coins.slice(0, 50), page: 1, pages: 1 });
});

it("an empty list has one page", () => {
  expect(pageOf([], null, true)).toEqual({ shown: [], page: 1, pages: 1 });
});
