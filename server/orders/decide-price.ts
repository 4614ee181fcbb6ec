import type { OrderEventKind } from "#contract/order.ts";
import { displayedUnit, divideDown, toMinor, WHOLE_BPS, type Minor } from "#contract/money.ts";
import { quote, type PartnerOffer } from "../rates/quote.ts";
import type { Offer, OrderPayout, OrderTerms } from "./order.ts";

/** Providers that could fill an order at the time of a command. */
export type Routes = {
  offers: readonly PartnerOffer[];
  /** The cost of sending the deposit to a partner. */
  sendingFee: Minor<"from">;
  /** The treasury's available balance; null where it has no wallet. */
  ownBalance: bigint | null;
};

/** Market prices in USD scaled by 10^18, and the payout's network fee, at the moment of a command. */
export type MarketNow = {
  fromPriceUsd: Minor<"usd">;
  toPriceUsd: Minor<"usd">;
  networkFee: Minor<"to">;
  /** Which partners could fill the order; absent for one that only the treasury fills. */
  routes?: Routes;
};

export type FixedTerms = NonNullable<OrderTerms["fixed"]>;
export type FixedCause = Extract<
  OrderEventKind,
  "FIXED_RATE_HIGH_VOLATILITY_DETECTED" | "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED"
>;

/** Tolerance of an offer and of a claimed refund (contract §3). */
const OFFER_TOLERANCE_BPS = 200n;

export function brokenBound(terms: OrderTerms, received: Minor<"from">): "under_minimum" | "over_maximum" | null {
  if (received < terms.minAmount) return "under_minimum";
  return terms.maxAmount !== null && received > terms.maxAmount ? "over_maximum" : null;
}

/** Why a confirmed deposit ends a fixed rate; each is judged once, at confirmation (engine law 12). */
export function fixedCauses(
  terms: OrderTerms,
  fixed: FixedTerms,
  received: Minor<"from">,
  market: MarketNow,
): FixedCause[] {
  const causes: FixedCause[] = [];
  if (hasMovedAgainstQuote(terms, market, fixed.volatilityBps)) causes.push("FIXED_RATE_HIGH_VOLATILITY_DETECTED");
  if (isApart(terms.claimedDepositAmount, received, fixed.dustBps))
    causes.push("FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED");
  return causes;
}

/** What a sum is worth now, by the order's own floating terms; null when the fees exceed it. */
export function floatingPayout(terms: OrderTerms, received: Minor<"from">, market: MarketNow): OrderPayout | null {
  const quoted = quote(
    {
      from: { decimals: terms.from.decimals, priceUsd: market.fromPriceUsd },
      to: { decimals: terms.to.decimals, priceUsd: market.toPriceUsd },
      platformFeeBps: terms.floatingFeeBps,
      spreadBps: terms.spreadBps,
      networkFee: market.networkFee,
    },
    { side: "from", amount: received },
  );
  if (quoted === null) return null;
  const { amountTo: amount, gross, platformFee, networkFee, price } = quoted;
  return { received, amount, gross, platformFee, networkFee, price };
}

/** The fixed sum, in proportion where the deposit differs by no more than dust (contract §3). */
export function fixedPayout(terms: OrderTerms, received: Minor<"from">): OrderPayout {
  const { amountTo, platformFee, networkFee, price } = terms.quoted;
  const agreed = {
    received: terms.claimedDepositAmount,
    amount: amountTo,
    gross: toMinor<"to">(amountTo + platformFee + networkFee),
    platformFee,
    networkFee,
    price,
  };
  return inProportion(terms, agreed, received);
}

/** The payout that an accepted offer promised; null when the sum has changed since, because an offer is for one sum. */
export function acceptedPayout(offer: Offer, received: Minor<"from">): OrderPayout | null {
  const { at: _, ...agreed } = offer;
  return received === offer.received ? agreed : null;
}

/** Null where the floating rate can't take the sum: then only a top-up or a refund is left. */
export function makeOffer(terms: OrderTerms, received: Minor<"from">, market: MarketNow, at: Date): Offer | null {
  if (brokenBound(terms, received) !== null) return null;
  const payout = floatingPayout(terms, received, market);
  return payout === null ? null : { ...payout, at };
}

/** True while the market stays within the tolerance of an offer. */
export function isOfferValid(terms: OrderTerms, offer: Offer, market: MarketNow): boolean {
  const now = floatingPayout(terms, offer.received, market);
  return now !== null && !isApart(offer.amount, now.amount, OFFER_TOLERANCE_BPS);
}

/** Whether a claimed refund is too far from the actual one. */
export const differsFromClaim = (actual: bigint, claimed: bigint): boolean =>
  isApart(actual, claimed, OFFER_TOLERANCE_BPS);

function inProportion(terms: OrderTerms, agreed: OrderPayout, received: Minor<"from">): OrderPayout {
  if (received === agreed.received) return agreed;
  const unit = displayedUnit(terms.to.decimals);
  const share = (amount: bigint) => divideDown(amount * received, agreed.received * unit) * unit;
  const amount = share(agreed.amount);
  const gross = share(agreed.gross);
  const networkFee = agreed.networkFee < gross - amount ? agreed.networkFee : toMinor<"to">(gross - amount);
  return {
    ...agreed,
    received,
    amount: toMinor(amount),
    gross: toMinor(gross),
    networkFee,
    platformFee: toMinor(gross - amount - networkFee),
  };
}

/** True when what was promised is now worth more than the deposit by over the bound. */
function hasMovedAgainstQuote(terms: OrderTerms, now: MarketNow, volatilityBps: bigint): boolean {
  const then = terms.quoted.market;
  return (
    now.fromPriceUsd * then.toPriceUsd * WHOLE_BPS < then.fromPriceUsd * now.toPriceUsd * (WHOLE_BPS - volatilityBps)
  );
}

function isApart(expected: bigint, actual: bigint, bps: bigint): boolean {
  const difference = actual > expected ? actual - expected : expected - actual;
  return difference * WHOLE_BPS > expected * bps;
}
