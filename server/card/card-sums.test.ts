import { expect, it } from "vitest";
import { cutMinor } from "./card-sums.ts";

it.each([
  ["150", 2, 15_000n],
  ["150.5", 2, 15_050n],
  ["0.019", 2, 1n],
  ["0.009", 2, 0n],
  ["12.99", 0, 12n],
  ["0", 18, 0n],
  [`${"9".repeat(60)}.${"9".repeat(19)}`, 2, BigInt("9".repeat(62))],
])("%s in minor units of %i decimals is cut to %s", (decimal, decimals, minor) =>
  expect(cutMinor(decimal, decimals)).toBe(minor),
);

it.each(["", "1e3", "-1", "1,5"])("%j is no decimal", (text) => expect(() => cutMinor(text, 2)).toThrow(RangeError));
