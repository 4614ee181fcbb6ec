import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMinor } from "#contract/money.ts";
import { Scenario, stepOf } from "../../../tests/support/orders/order-scenario.ts";
import { fixedTerms, floatingTerms } from "../../../tests/support/orders/sample-orders.ts";
import type { OrderTerms } from "./order.ts";

/**
 * An attacker with perfect foresight (engine law 13): the search moves the market as it likes and chooses when to pay, what a block takes and
 * when, and what is accepted or asked back. What he gains is what the payout is worth beyond his deposit once he has no choice left: when it is
 * decided, or when he accepted an offer for it.
 */
const RUNS = 20_000;
const FIXED_FEE_BPS = 100;
const FLOATING_FEE_BPS = 50;
const VOLATILITY_BPS = 300;
const USDT = 1_000_000;
/** Half an ether and what is quoted for it are whole cents: a tolerance for what is rounded. */
const ROUNDING_BPS = 2;

/** The shipped catalogue's fixed terms: 1 % of fee; the market may have moved by that alone for what was mined after the rate lock. */
const fixed: OrderTerms = {
  ...fixedTerms,
  quoted: { ...fixedTerms.quoted, amountTo: toMinor(1_484_000_000n), platformFee: toMinor(15_000_000n) },
};

type Gain = { bps: number; isLate: boolean; isAccepted: boolean };

function gainsOf(terms: OrderTerms): Gain[] {
  const gains: Gain[] = [];
  const steps = fc.array(stepOf(fc.integer({ min: 2850, max: 3150 })), { minLength: 8, maxLength: 30 });
  fc.assert(
    fc.property(steps, (some) => {
      const scenario = new Scenario(terms, {
        onPayout: ({ amount, networkFee, received }, { price, isAccepted, lastMinedAt }) => {
          const given = (Number(received) / 1e18) * price;
          const taken = Number(amount + networkFee) / USDT;
          gains.push({ bps: (taken / given - 1) * 10_000, isLate: lastMinedAt > 1200, isAccepted });
        },
      });
      for (const one of some) scenario.take(one);
    }),
    { numRuns: RUNS },
  );
  return gains;
}

const most = (gains: readonly Gain[]): number => Math.max(...gains.map(({ bps }) => bps));

describe("an attacker who knows the market's future", () => {
  const gains = gainsOf(fixed);
  const atFixedRate = gains.filter(({ isAccepted }) => !isAccepted);

  it("gains at a fixed rate, paid in time, what the configured bound leaves beyond the fee, and no more", () => {
    const inTime = most(atFixedRate.filter(({ isLate }) => !isLate));
    expect(inTime).toBeLessThanOrEqual((VOLATILITY_BPS - FIXED_FEE_BPS) * 1.04 + ROUNDING_BPS);
    expect(inTime, "the search comes close to the bound").toBeGreaterThan(VOLATILITY_BPS - FIXED_FEE_BPS - 20);
  });

  it("gains nothing by waiting with a payment that could still be withdrawn", () => {
    const late = atFixedRate.filter(({ isLate }) => isLate);
    expect(late.length).toBeGreaterThan(20);
    expect(most(late)).toBeLessThanOrEqual(ROUNDING_BPS);
    expect(most(late), "the search comes close to the bound").toBeGreaterThan(-60);
  });

  it("gains nothing by an offer, however long he thinks about it", () => {
    const offered = gains.filter(({ isAccepted }) => isAccepted);
    expect(offered.length).toBeGreaterThan(20);
    expect(most(offered)).toBeLessThanOrEqual(ROUNDING_BPS);
  });

  it("gains nothing at a floating rate", () => {
    const floating = gainsOf(floatingTerms);
    expect(floating.length).toBeGreaterThan(20);
    expect(most(floating)).toBeLessThanOrEqual(-FLOATING_FEE_BPS + ROUNDING_BPS);
  });
});
