import { expect, it } from "vitest";
import { memoRule } from "./memo-rule.ts";

it.each([
  ["XRP", "4294967295", false],
  ["XRP", "4294967296", true],
  ["XRP", "12345678901", true],
  ["XRP", "12a", true],
  ["XRP", "", false],
  ["TON", "an invoice 12", false],
])("of %s, %j is refused: %s", (network, memo, isWrong) => expect(memoRule(network).isWrong(memo)).toBe(isWrong));

it("a tag is kept without the spaces between its groups, a memo as it is", () => {
  expect(memoRule("XRP").clean(" 123 456 ")).toBe("123456");
  expect(memoRule("TON").clean(" a b ")).toBe(" a b ");
});
