import { expect, it } from "vitest";
import { formatPriceIn } from "./format-price.ts";

it.each([
  ["EUR", "89808.9", "89 808.90 EUR"],
  ["EUR", "0.0123456789", "0.0123457 EUR"],
  ["USDT", "1.23456789", "1.23457 USDT"],
  ["EUR", null, "—"],
] as const)("a price in %s, %s, is shown as %s", (currency, price, shown) => {
  expect(formatPriceIn(currency, price).replace(/\s/g, " ")).toBe(shown);
});
