import { divideDown, toMinor, WHOLE_BPS, type Minor, maxOf } from "#contract/money.ts";
import type { SandboxOutcome } from "#contract/partner-api.ts";
import { marketValue } from "../../rates/quote.ts";
import type { MarketNow } from "./decide-price.ts";
import type { OrderTerms } from "./order.ts";

// Orders of a sandbox that go the way their integrator asked for (contract §13): the engine decides as always, of other deposits, another
// market or another provider.

/** The provider of `partner-fails`: it refuses every exchange. */
export const REHEARSAL_PARTNER = "sandbox";

/** How far beyond its bound the market falls, in hundredths of a percent. */
const BEYOND_BPS = 100n;
const [LESS, MORE, UNDER] = [
  { of: 9n, in: 10n },
  { of: 11n, in: 10n },
  { of: 3n, in: 4n },
];

/** Why an order can't go this way, by the field that is wrong; null where it can. */
export function rehearsalRefusal(
  outcome: SandboxOutcome,
  { rateMode, refundAddress }: { rateMode: OrderTerms["rateMode"]; refundAddress?: string | null | undefined },
): Record<string, string> | null {
  const isFixed = outcome === "slow" || outcome === "wrong-amount" || outcome === "volatility";
  if (isFixed && rateMode !== "FIXED") return { rateMode: `must be FIXED for ${outcome}` };
  if (outcome === "partner-fails" && rateMode !== "FLOATING") return { rateMode: `must be FLOATING for ${outcome}` };
  if (outcome === "refund" && !refundAddress?.trim()) return { refundAddress: `is needed for ${outcome}` };
  return null;
}

/** What the sandbox pays an order, and not before when. */
export function rehearsedDeposit(outcome: SandboxOutcome, terms: OrderTerms): { amount: Minor<"from">; after: Date } {
  const { claimedDepositAmount: claimed, minAmount, minDeposit = toMinor<"from">(1n), fixed, createdAt } = terms;
  const part = ({ of, in: whole }: typeof LESS, amount: bigint) => toMinor<"from">(divideDown(amount * of, whole));
  switch (outcome) {
    case "slow":
      // The rate holds for a deposit at its very end.
      return { amount: claimed, after: new Date((fixed?.expiresAt ?? createdAt).getTime() + 1) };
    case "wrong-amount": {
      const less = part(LESS, claimed);
      return { amount: less >= minAmount ? less : part(MORE, claimed), after: createdAt };
    }
    case "refund": {
      const under = part(UNDER, minAmount);
      return { amount: maxOf(under, minDeposit), after: createdAt };
    }
    case "volatility":
    case "partner-fails":
      return { amount: claimed, after: createdAt };
  }
}

/** The market as such an order sees it; that of every other order is returned as it is. */
export function rehearsedMarket(
  { rehearsal, fixed, claimedDepositAmount, ...sides }: OrderTerms,
  market: MarketNow,
): MarketNow {
  if (rehearsal === "volatility" && fixed !== null) {
    const left = WHOLE_BPS - fixed.volatilityBps - BEYOND_BPS;
    return { ...market, fromPriceUsd: toMinor(divideDown(market.fromPriceUsd * left, WHOLE_BPS)) };
  }
  if (rehearsal !== "partner-fails" || market.routes === undefined) return market;
  const largest = claimedDepositAmount * 2n;
  const from = { decimals: sides.from.decimals, priceUsd: market.fromPriceUsd };
  const to = { decimals: sides.to.decimals, priceUsd: market.toPriceUsd };
  const curve = [
    { amountFrom: 0n, amountTo: 0n },
    { amountFrom: largest, amountTo: marketValue(from, to, largest) },
  ];
  return {
    ...market,
    routes: { ...market.routes, offers: [...market.routes.offers, { partner: REHEARSAL_PARTNER, curve }] },
  };
}
