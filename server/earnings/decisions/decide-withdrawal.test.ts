import { expect, it } from "vitest";
import { withdrawalReview, type WithdrawalFacts } from "./decide-withdrawal.ts";

const LIMITS = { reviewUsd: 500n, newAddressUsd: 100n };
const at = new Date("2026-11-21T12:00:00Z");
const before = (hours: number) => new Date(at.getTime() - hours * 3_600_000);
const known: WithdrawalFacts = { usdOfDay: 500n, usdToAddress: 500n, addressUsedSince: before(24), at };

it.each<[string, Partial<WithdrawalFacts>, string | null]>([
  ["up to the limit, to a known address", {}, null],
  ["over the limit", { usdOfDay: 501n }, "large_amount"],
  ["to an address that was never used", { addressUsedSince: null }, "new_address"],
  ["to an address of less than a day", { addressUsedSince: before(23.9) }, "new_address"],
  ["a little to a new address", { addressUsedSince: null, usdToAddress: 100n }, null],
  ["over the limit to a new address", { usdOfDay: 501n, addressUsedSince: null }, "large_amount"],
  ["without a price", { usdOfDay: null, usdToAddress: null }, "no_price"],
])("%s", (_, changes, review) => {
  expect(withdrawalReview({ ...known, ...changes }, LIMITS)).toBe(review);
});
