import { expect, it } from "vitest";
import { secondsToConfirm } from "./order-times.ts";

it.each([
  [120, 12, 50, 4560],
  [12, 3, 3, 0],
  [12, 5, 3, 0],
  [600, 0, 2, 1200],
  [null, 0, 2, null],
])("blocks every %s s, %i of %i confirmations: %s s", (blockSeconds, count, required, seconds) =>
  expect(secondsToConfirm(blockSeconds, { count, required })).toBe(seconds),
);
