import type { CreateOrderBody } from "#contract/order.ts";
import { parseAmount } from "#contract/money.ts";
import { isWithin } from "./market/guard.ts";
import { exactTo, exactFrom } from "./pair-data.ts";
import { quote, type QuoteRequest, type Quote } from "./quote.ts";
import type { Pricing } from "./pricing.ts";

export type ClaimedRate = CreateOrderBody["claimedPublicRate"];

/** Finer than any price or amount on the wire. */
const WIRE_DECIMALS = 80;

const readDecimal = (text: string): bigint => parseAmount(text, WIRE_DECIMALS) ?? 0n;

/** True when the claimed price and the claimed amount both lie within `bps` of what is quoted now. */
export function matchesClaim(claim: ClaimedRate, made: Quote, decimals: number, bps: bigint): boolean {
  const claimed = parseAmount(claim.claimedAmountToReceive, decimals);
  return (
    claimed !== null &&
    isWithin(claimed, made.amountTo, bps) &&
    isWithin(readDecimal(claim.price), readDecimal(made.price), bps)
  );
}

/**
 * Finds the quote that a claim repeats, by computing it again from the snapshot that it names: first by the amount that is
 * sent, then by the amount that arrives. Null when it was never quoted.
 */
export function findQuote(pricing: Pricing, amountFrom: bigint, claim: ClaimedRate): Quote | null {
  const amountTo = parseAmount(claim.claimedAmountToReceive, pricing.to.decimals);
  if (amountTo === null || amountTo === 0n) return null;
  const repeats = (ask: QuoteRequest): Quote | null => {
    const made = quote(pricing.terms, ask);
    if (made === null || made.amountFrom !== amountFrom || made.amountTo !== amountTo) return null;
    return readDecimal(made.price) === readDecimal(claim.price) ? made : null;
  };
  return repeats(exactFrom(amountFrom)) ?? repeats(exactTo(amountTo));
}
