import { describe, expect, test } from "vitest";
import { toMinor } from "#contract/money.ts";
import { fixedTerms, floatingTerms, marketAt, milliEth, second } from "../../../tests/support/orders/sample-orders.ts";
import { REHEARSAL_PARTNER, rehearsalRefusal, rehearsedDeposit, rehearsedMarket } from "./decide-rehearsal.ts";
import { routedPayout } from "./decide-route.ts";
import { fixedCauses } from "./decide-price.ts";

const refundAddress = "back";

test.each([
  ["slow", { rateMode: "FLOATING" }, { rateMode: "must be FIXED for slow" }],
  ["wrong-amount", { rateMode: "FLOATING" }, { rateMode: "must be FIXED for wrong-amount" }],
  ["volatility", { rateMode: "FLOATING" }, { rateMode: "must be FIXED for volatility" }],
  ["partner-fails", { rateMode: "FIXED" }, { rateMode: "must be FLOATING for partner-fails" }],
  ["refund", { rateMode: "FLOATING" }, { refundAddress: "is needed for refund" }],
  ["refund", { rateMode: "FLOATING", refundAddress: " " }, { refundAddress: "is needed for refund" }],
  ["slow", { rateMode: "FIXED", refundAddress }, null],
  ["volatility", { rateMode: "FIXED", refundAddress }, null],
  ["partner-fails", { rateMode: "FLOATING" }, null],
  ["refund", { rateMode: "FIXED", refundAddress }, null],
  ["refund", { rateMode: "FLOATING", refundAddress }, null],
] as const)("%s of %o is refused for %o", (outcome, order, refused) => {
  expect(rehearsalRefusal(outcome, order)).toEqual(refused);
});

test.each([
  ["slow", {}, 500, 1200.001],
  ["wrong-amount", {}, 450, 0],
  ["wrong-amount", { claimedDepositAmount: milliEth(10) }, 11, 0],
  ["volatility", {}, 500, 0],
  ["partner-fails", {}, 500, 0],
  ["refund", {}, 7.5, 0],
  ["refund", { minDeposit: milliEth(9) }, 9, 0],
] as const)("%s with %o pays %d thousandths, not before second %d", (outcome, terms, milli, after) => {
  expect(rehearsedDeposit(outcome, { ...fixedTerms, ...terms })).toEqual({
    amount: toMinor((milliEth(1) * BigInt(milli * 10)) / 10n),
    after: second(after),
  });
});

describe("the market", () => {
  const routes = { offers: [], sendingFee: milliEth(1), ownBalance: 10n ** 15n };

  test("of an order that nobody plays is as it is", () => {
    const market = { ...marketAt(3000), routes };
    expect(rehearsedMarket(floatingTerms, market)).toBe(market);
    expect(rehearsedMarket({ ...fixedTerms, rehearsal: "slow" }, market)).toBe(market);
  });

  test("of a volatile one has fallen by more than its rate bears", () => {
    const terms = { ...fixedTerms, rehearsal: "volatility" as const };
    const { fixed } = terms;
    if (fixed === null) throw new Error("the sample has a fixed rate");
    const settled = { received: terms.claimedDepositAmount, lastMinedAt: second(20) };
    const causes = (market: ReturnType<typeof marketAt>) => fixedCauses(terms, fixed, settled, market);
    expect(causes(marketAt(3000))).toEqual([]);
    expect(causes(rehearsedMarket(terms, marketAt(3000)))).toEqual(["FIXED_RATE_HIGH_VOLATILITY_DETECTED"]);
  });

  test("of one whose provider fails has that provider, and the treasury pays once it has failed", () => {
    const terms = { ...floatingTerms, provider: REHEARSAL_PARTNER, rehearsal: "partner-fails" as const };
    const market = rehearsedMarket(terms, { ...marketAt(3000), routes });
    const first = routedPayout(terms, milliEth(500), market);
    expect(first).toMatchObject({ partner: { code: REHEARSAL_PARTNER } });
    const next = routedPayout(terms, milliEth(500), market, [REHEARSAL_PARTNER]);
    expect(next).toMatchObject({ amount: terms.quoted.amountTo });
    expect(next).not.toHaveProperty("partner");
  });
});
