import { expect, it } from "vitest";
import { parseDecimal } from "./decimal.ts";

const E18 = 10n ** 18n;

it.each<[text: string, value: bigint | null]>([
  ["1", E18],
  ["1.5", (3n * E18) / 2n],
  ["0.000000000000000001", 1n],
  ["0.0000000000000000019", 1n],
  ["2.5e-3", (25n * E18) / 10_000n],
  ["1e3", 1000n * E18],
  ["1e-30", 0n],
  ["", null],
  ["-1", null],
  ["NaN", null],
  ["1,5", null],
  ["Infinity", null],
  ["0x10", null],
])("reads %j", (text, value) => {
  expect(parseDecimal(text)).toBe(value);
});
