import type { OrderEventKind } from "#contract/order.ts";
import { divideDown, powerOfTen, toMinor, type Minor } from "#contract/money.ts";
import { quote } from "../rates/quote.ts";
import type { PartnerOffer } from "../liquidity/quote.ts";
import type { Offer, OrderPayout, OrderTerms } from "./order.ts";

/** Who could fill an order at the moment of a command. */
export type Routes = {
  offers: readonly PartnerOffer[];
  /** What sending the deposit on to a partner costs. */
  sendingFee: Minor<"give">;
  /** What the house could pay at once; null where it has no wallet for it. */
  houseMost: bigint | null;
};

/** Market prices in USD scaled by 10^18, and the payout's network fee, at the moment of a command. */
export type MarketNow = {
  givePriceUsd: Minor<"usd">;
  getPriceUsd: Minor<"usd">;
  networkFee: Minor<"get">;
  /** Who else could fill the order; absent for one that only the house fills. */
  routes?: Routes;
};

export type FixedTerms = NonNullable<OrderTerms["fixed"]>;
export type FixedCause = Extract<
  OrderEventKind,
  "FIXED_RATE_HIGH_VOLATILITY_DETECTED" | "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED"
>;

const BPS = 10_000n;
const SHOWN_DECIMALS = 8;
/** An offer, and an owner's echo of a refund, hold within this much (contract §3). */
const TOLERANCE_BPS = 200n;

export function boundBroken(terms: OrderTerms, received: Minor<"give">): "under_minimum" | "over_maximum" | null {
  if (received < terms.minGive) return "under_minimum";
  return terms.maxGive !== null && received > terms.maxGive ? "over_maximum" : null;
}

/** Why a confirmed deposit ends a fixed rate; each is judged once, at confirmation (engine law 12). */
export function fixedCauses(
  terms: OrderTerms,
  fixed: FixedTerms,
  received: Minor<"give">,
  market: MarketNow,
): FixedCause[] {
  const causes: FixedCause[] = [];
  if (hasMovedAgainstQuote(terms, market, fixed.volatilityBps)) causes.push("FIXED_RATE_HIGH_VOLATILITY_DETECTED");
  if (isApart(terms.claimedGive, received, fixed.dustBps)) causes.push("FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED");
  return causes;
}

/** What a sum is worth now, by the order's own floating terms; null when the fees eat it. */
export function floatingPayout(terms: OrderTerms, received: Minor<"give">, market: MarketNow): OrderPayout | null {
  const quoted = quote(
    {
      give: { decimals: terms.give.decimals, priceUsd: market.givePriceUsd },
      get: { decimals: terms.get.decimals, priceUsd: market.getPriceUsd },
      platformFeeBps: terms.floatingFeeBps,
      spreadBps: terms.spreadBps,
      networkFee: market.networkFee,
    },
    { side: "give", amount: received },
  );
  if (quoted === null) return null;
  const { get: amount, gross, platformFee, networkFee, price } = quoted;
  return { received, amount, gross, platformFee, networkFee, price };
}

/** The fixed sum, in proportion where the deposit differs by no more than dust (contract §3). */
export function fixedPayout(terms: OrderTerms, received: Minor<"give">): OrderPayout {
  const { get, platformFee, networkFee, price } = terms.quoted;
  const agreed = {
    received: terms.claimedGive,
    amount: get,
    gross: toMinor<"get">(get + platformFee + networkFee),
    platformFee,
    networkFee,
    price,
  };
  return inProportion(terms, agreed, received);
}

/** The payout that an accepted offer promised; null when the sum has changed since, because an offer is for one sum. */
export function acceptedPayout(offer: Offer, received: Minor<"give">): OrderPayout | null {
  const { at: _, ...agreed } = offer;
  return received === offer.received ? agreed : null;
}

/** Null where the floating rate can't take the sum: then only a top-up or a refund is left. */
export function makeOffer(terms: OrderTerms, received: Minor<"give">, market: MarketNow, at: Date): Offer | null {
  if (boundBroken(terms, received) !== null) return null;
  const payout = floatingPayout(terms, received, market);
  return payout === null ? null : { ...payout, at };
}

/** True while the market stays within the tolerance of an offer. */
export function stillHolds(terms: OrderTerms, offer: Offer, market: MarketNow): boolean {
  const now = floatingPayout(terms, offer.received, market);
  return now !== null && !isApart(offer.amount, now.amount, TOLERANCE_BPS);
}

/** Whether an echo of the owner is too far from what it echoes. */
export const isOtherEcho = (shown: bigint, echoed: bigint): boolean => isApart(shown, echoed, TOLERANCE_BPS);

function inProportion(terms: OrderTerms, agreed: OrderPayout, received: Minor<"give">): OrderPayout {
  if (received === agreed.received) return agreed;
  const unit = powerOfTen(Math.max(0, terms.get.decimals - SHOWN_DECIMALS));
  const share = (amount: bigint) => divideDown(amount * received, agreed.received * unit) * unit;
  const amount = share(agreed.amount);
  const gross = share(agreed.gross);
  const networkFee = agreed.networkFee < gross - amount ? agreed.networkFee : toMinor<"get">(gross - amount);
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
  return now.givePriceUsd * then.getPriceUsd * BPS < then.givePriceUsd * now.getPriceUsd * (BPS - volatilityBps);
}

function isApart(expected: bigint, actual: bigint, bps: bigint): boolean {
  const difference = actual > expected ? actual - expected : expected - actual;
  return difference * BPS > expected * bps;
}
