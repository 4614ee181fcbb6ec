import { expect, it } from "vitest";
import { amountPresets, presetColumns } from "./amount-presets.ts";

it.each([
  ["0.01", "100", "0.01 0.1 0.5 1 2 3 4 5 10 20 50 100"],
  ["0.0100000001", "0.9999", "0.1 0.5"],
  ["1.7", "80000", "2 3 4 5 10 20 50 100 200 500 1000"],
  ["400", null, "500 1000"],
  ["35000", "1000000", ""],
])("from %s to %s a pair takes %j", (minAmount, maxAmount, presets) => {
  expect(amountPresets({ minAmount, maxAmount }).join(" ")).toBe(presets);
});

it.each([
  [1, 1],
  [5, 5],
  [6, 3],
  [7, 4],
  [8, 4],
  [11, 4],
  [12, 4],
  [15, 5],
])("%i amounts stand in %i columns", (count, columns) => {
  expect(presetColumns(count)).toBe(columns);
});
