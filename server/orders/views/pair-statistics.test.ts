import { expect, it } from "vitest";
import { toMinor } from "#contract/money.ts";
import { floatingTerms } from "../../../tests/support/orders/sample-orders.ts";
import { type CompletedExchange, pairStatistics } from "./pair-statistics.ts";

const terms = floatingTerms;
const quoted: bigint = terms.quoted.amountTo;

/** An exchange that delivered so many hundredths of a percent more than was quoted. */
function exchange(differenceBps: bigint, { seconds = 300, isOtherAmount = false } = {}): CompletedExchange {
  const received = isOtherAmount ? toMinor<"from">(terms.claimedDepositAmount + 1n) : terms.claimedDepositAmount;
  const amount = toMinor<"to">(quoted + (quoted * differenceBps) / 10_000n);
  const payout = {
    received,
    amount,
    gross: amount,
    platformFee: toMinor<"to">(0n),
    networkFee: toMinor<"to">(0n),
    price: "1",
  };
  return { state: { kind: "completed", terms, deposits: [], payout, accepted: null }, seconds };
}
const times = (count: number, one: CompletedExchange) => Array.from({ length: count }, () => one);

it("states no figure from a handful of exchanges", () => {
  expect(pairStatistics(times(19, exchange(0n)))).toBeNull();
  expect(pairStatistics(times(20, exchange(0n)))).not.toBeNull();
});

it.each([
  ["all as quoted", times(20, exchange(0n)), { medianDifference: "0", atLeastQuotedShare: 1 }],
  [
    "a quarter below",
    [...times(5, exchange(-30n)), ...times(15, exchange(10n))],
    { medianDifference: "0.1", atLeastQuotedShare: 0.75 },
  ],
  [
    "most below",
    [...times(15, exchange(-7n)), ...times(5, exchange(10n))],
    { medianDifference: "-0.07", atLeastQuotedShare: 0.25 },
  ],
])("compares what was delivered with what was quoted: %s", (_, completed, expected) => {
  expect(pairStatistics(completed)?.delivered).toEqual({ exchanges: 20, ...expected });
});

it("compares only where the deposit was the amount agreed, and nothing where few are left", () => {
  const others = times(30, exchange(500n, { isOtherAmount: true }));
  expect(pairStatistics([...others, ...times(20, exchange(0n))])?.delivered).toEqual({
    exchanges: 20,
    medianDifference: "0",
    atLeastQuotedShare: 1,
  });
  expect(pairStatistics([...others, ...times(19, exchange(0n))])).toMatchObject({ exchanges: 49, delivered: null });
});

it("states the median time in whole minutes, of at least a minute", () => {
  expect(pairStatistics(times(20, exchange(0n, { seconds: 400 })))?.medianSeconds).toBe(420);
  expect(pairStatistics(times(20, exchange(0n, { seconds: 2 })))?.medianSeconds).toBe(60);
  const unknown = { ...exchange(0n), seconds: null };
  expect(pairStatistics([...times(19, exchange(0n)), unknown])?.medianSeconds).toBeNull();
});
