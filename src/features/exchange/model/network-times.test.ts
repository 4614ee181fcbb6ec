import { expect, it } from "vitest";
import { networkSeconds } from "./network-times.ts";

const monero = { confirmations: 10, blockSeconds: 120, payoutSeconds: 95 };

it.each([
  ["what is sent needs its confirmations", monero, "from", 1200],
  ["what is sent needs one block where no confirmation is required", { ...monero, confirmations: 0 }, "from", 120],
  ["what is received needs its payout alone", monero, "to", 95],
  ["no time without the network's pace", { ...monero, blockSeconds: null }, "from", null],
  ["no time without a known payout", { ...monero, payoutSeconds: null }, "to", null],
] as const)("%s", (_what, coin, side, seconds) => {
  expect(networkSeconds(coin, side)).toBe(seconds);
});
