import type { OrderEventKind } from "#contract/order.ts";
import { displayedUnit, divideDown, toMinor, WHOLE_BPS, type Minor, minOf } from "#contract/money.ts";
import { quote, type PartnerOffer } from "../../rates/quote.ts";
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

/** How far a claimed refund may be off (contract §3). */
const REFUND_TOLERANCE_BPS = 200n;
/** The terms of offers of orders that were made before their terms had any. */
const OFFER_TERMS = { validSeconds: 600, toleranceBps: toMinor<"usd">(50n) };

export function brokenBound(terms: OrderTerms, received: Minor<"from">): "under_minimum" | "over_maximum" | null {
  if (received < terms.minAmount) return "under_minimum";
  return terms.maxAmount !== null && received > terms.maxAmount ? "over_maximum" : null;
}

/** A deposit that counts for nothing: too small to open, complete or prolong anything (contract §3). */
export const isTooSmall = ({ minDeposit }: OrderTerms, amount: bigint): boolean =>
  minDeposit !== undefined && amount < minDeposit;

/** Whether a sum completes the claimed amount of a fixed order: then its set of deposits is closed (contract §3). */
export const isComplete = (terms: OrderTerms, sum: bigint): boolean =>
  terms.fixed !== null && sum * WHOLE_BPS >= terms.claimedDepositAmount * (WHOLE_BPS - terms.fixed.dustBps);

/**
 * Why a confirmed deposit ends a fixed rate; each is judged once, at confirmation (engine law 12). `lastMinedAt` is when the last of
 * the deposits was first in a block: one that waited in a mempool beyond the rate lock could have been withdrawn until then, so the
 * market may have moved by no more than the fee (law 13).
 */
export function fixedCauses(
  terms: OrderTerms,
  fixed: FixedTerms,
  { received, lastMinedAt }: { received: Minor<"from">; lastMinedAt: Date },
  market: MarketNow,
): FixedCause[] {
  const causes: FixedCause[] = [];
  const { volatilityBps, lateBps = volatilityBps } = fixed;
  const boundBps = lastMinedAt > fixed.expiresAt && lateBps < volatilityBps ? lateBps : volatilityBps;
  if (hasMovedAgainstQuote(terms, market, boundBps)) causes.push("FIXED_RATE_HIGH_VOLATILITY_DETECTED");
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

/** The part of a payout's fee that is an integrator's, rounded down; never more than the fee itself. */
export function markupOf({ markupBps = toMinor<"usd">(0n) }: OrderTerms, { gross, platformFee }: OrderPayout): bigint {
  return minOf(toMinor(divideDown(gross * markupBps, WHOLE_BPS)), platformFee);
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
  const { at: _, validUntil: __, ...agreed } = offer;
  return received === offer.received ? agreed : null;
}

/** Null where the floating rate can't take the sum: then only a top-up or a refund is left. */
export function makeOffer(terms: OrderTerms, received: Minor<"from">, market: MarketNow, at: Date): Offer | null {
  if (brokenBound(terms, received) !== null) return null;
  const payout = floatingPayout(terms, received, market);
  const { validSeconds } = terms.offer ?? OFFER_TERMS;
  return payout === null ? null : { ...payout, at, validUntil: new Date(at.getTime() + validSeconds * 1000) };
}

/** When an offer ends; one of an older version has the default time. */
export const offerEnd = ({ at, validUntil }: Offer): Date =>
  validUntil ?? new Date(at.getTime() + OFFER_TERMS.validSeconds * 1000);

/**
 * What accepting an offer now binds to: the offer, or more where the market has moved in the customer's favour. Null once it has
 * ended, or the market has fallen below it by more than the tolerance (contract §3).
 */
export function acceptableOffer(terms: OrderTerms, offer: Offer, market: MarketNow, at: Date): Offer | null {
  if (at > offerEnd(offer)) return null;
  const now = floatingPayout(terms, offer.received, market);
  const { toleranceBps } = terms.offer ?? OFFER_TERMS;
  if (now === null || now.amount * WHOLE_BPS < offer.amount * (WHOLE_BPS - toleranceBps)) return null;
  return now.amount > offer.amount ? { ...offer, ...now } : offer;
}

/** Whether a claimed refund is too far from the actual one. */
export const differsFromClaim = (actual: bigint, claimed: bigint): boolean =>
  isApart(actual, claimed, REFUND_TOLERANCE_BPS);

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
