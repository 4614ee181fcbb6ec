import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMinor, WHOLE_BPS } from "#contract/money.ts";
import { Scenario, stepOf } from "../../../tests/support/orders/order-scenario.ts";
import { fixedTerms, floatingTerms, second } from "../../../tests/support/orders/sample-orders.ts";
import shipped from "../../catalogue/catalogue.json" with { type: "json" };
import { readCatalogue } from "../../catalogue/catalogue.ts";
import type { OrderTerms } from "./order.ts";

/**
 * An attacker with perfect foresight (engine law 13): the search moves the market as it likes and chooses when to pay, what a block takes and
 * when, and what is accepted or asked back. What he gains is what the payout is worth beyond his deposit once he has no choice left: when it is
 * decided, or when he accepted an offer for it.
 */
const RUNS = 20_000;
const USDT = 1_000_000;
/** Half an ether and what is quoted for it are whole cents: a tolerance for what is rounded. */
const ROUNDING_BPS = 2;

/** As the shipped catalogue has them, and everything that is derived from it. */
const { terms: own, pairTerms } = readCatalogue(shipped);
const { fixedFeeBps, floatingFeeBps, spreadBps } = pairTerms("eth", "usdt-erc20");
const FIXED_FEE_BPS = Number(fixedFeeBps + spreadBps);
const FLOATING_FEE_BPS = Number(floatingFeeBps + spreadBps);
const VOLATILITY_BPS = Number(own.volatilityBps);
const LOCK_SECONDS = 1200;
const QUOTED_PRICE = 3000;
const GROSS = 1_500_000_000n;
const fixedFee = toMinor<"to">((GROSS * BigInt(FIXED_FEE_BPS)) / WHOLE_BPS);

const fixed: OrderTerms = {
  ...fixedTerms,
  quoted: {
    ...fixedTerms.quoted,
    amountTo: toMinor(GROSS - fixedFee - fixedTerms.quoted.networkFee),
    platformFee: fixedFee,
  },
  fixed: {
    expiresAt: second(LOCK_SECONDS),
    volatilityBps: toMinor(own.volatilityBps),
    dustBps: toMinor(own.dustBps),
    lateBps: toMinor(fixedFeeBps + spreadBps),
  },
};

/** `bps` of what he gave, `share` of what it was worth when it was quoted, as the fee is. */
type Gain = { bps: number; share: number; isLate: boolean; isAccepted: boolean };

function gainsOf(terms: OrderTerms): Gain[] {
  const gains: Gain[] = [];
  const steps = fc.array(stepOf(fc.integer({ min: 2850, max: 3150 })), { minLength: 8, maxLength: 30 });
  fc.assert(
    fc.property(steps, (some) => {
      const scenario = new Scenario(terms, {
        onPayout: ({ amount, networkFee, received }, { price, isAccepted, lastMinedAt }) => {
          const given = (Number(received) / 1e18) * price;
          const taken = Number(amount + networkFee) / USDT;
          const quoted = (Number(received) / 1e18) * QUOTED_PRICE;
          const [bps, share] = [(taken / given - 1) * 10_000, ((taken - given) / quoted) * 10_000];
          gains.push({ bps, share, isLate: lastMinedAt > LOCK_SECONDS, isAccepted });
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

  it("gains no more than our fee by a fixed rate that is paid in time, whatever becomes of the others", () => {
    const inTime = atFixedRate.filter(({ isLate }) => !isLate).map(({ share }) => share);
    expect(Math.max(...inTime)).toBeLessThanOrEqual(FIXED_FEE_BPS + ROUNDING_BPS);
    expect(Math.max(...inTime), "the search comes close to the bound").toBeGreaterThan(
      VOLATILITY_BPS - FIXED_FEE_BPS - 20,
    );
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
