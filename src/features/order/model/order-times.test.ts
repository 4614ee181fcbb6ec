import { expect, it } from "vitest";
import { secondsLeft } from "./order-times.ts";

it.each([
  ["XMR", 12, 50, 4560],
  ["ETH", 3, 3, 0],
  ["ETH", 5, 3, 0],
  ["BTC", 0, 2, 1200],
  ["NOPE", 0, 2, null],
])("%s at %i of %i: %s s", (network, count, required, seconds) =>
  expect(secondsLeft(network, { count, required })).toBe(seconds),
);
