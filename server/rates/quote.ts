import { divideDown, divideUp, powerOfTen, ratio, toMinor, type Minor } from "#contract/money.ts";

/** One side of a pair: its precision and its USD price, scaled by 10^18. */
export type QuoteSide = { decimals: number; priceUsd: bigint };

export type QuoteTerms = {
  from: QuoteSide;
  to: QuoteSide;
  /** What the house takes of the market value, in hundredths of a percent. */
  platformFeeBps: bigint;
  /** A margin on the market price; shown inside the platform fee, so that the sum still adds up. */
  spreadBps: bigint;
  /** What sending the payout costs, in minor units of the receiving instrument. */
  networkFee: Minor<"to">;
};

export type QuoteRequest = { side: "from"; amount: Minor<"from"> } | { side: "to"; amount: Minor<"to"> };

/** `gross − platformFee − networkFee = amountTo`, exactly; `price` is amountTo per amountFrom as a decimal. */
export type Quote = {
  amountFrom: Minor<"from">;
  gross: Minor<"to">;
  platformFee: Minor<"to">;
  networkFee: Minor<"to">;
  amountTo: Minor<"to">;
  price: string;
};

const BPS = 10_000n;

/** Finer decimals are never shown, so they are never quoted: what a person reads is what is paid. */
const DISPLAYED_DECIMALS = 8;

/**
 * The one price of the house, in both directions (contract §2). What is paid is rounded down, what is asked is rounded up
 * (engine law 9). Null when the fees eat the whole amount.
 */
export function quote(terms: QuoteTerms, ask: QuoteRequest): Quote | null {
  return ask.side === "from" ? quoteExactFrom(terms, ask.amount) : quoteExactTo(terms, ask.amount);
}

/** The market value of an amount in the other instrument, before any fee, rounded down. */
export function marketValue(from: QuoteSide, to: QuoteSide, amount: bigint): bigint {
  return divideDown(amount * from.priceUsd * powerOfTen(to.decimals), to.priceUsd * powerOfTen(from.decimals));
}

function quoteExactFrom(terms: QuoteTerms, amountFrom: Minor<"from">): Quote | null {
  const gross = roundDown(marketValue(terms.from, terms.to, amountFrom), terms.to);
  const fee = divideUp(gross * (terms.platformFeeBps + terms.spreadBps), BPS);
  const amountTo = roundDown(gross - fee - terms.networkFee, terms.to);
  return amountTo > 0n ? assemble(terms, amountFrom, gross, toMinor(amountTo)) : null;
}

function quoteExactTo(terms: QuoteTerms, amountTo: Minor<"to">): Quote | null {
  if (amountTo <= 0n) return null;
  const rest = BPS - terms.platformFeeBps - terms.spreadBps;
  const needed = roundUp(divideUp((amountTo + terms.networkFee) * BPS, rest), terms.to);
  const asked = divideUp(
    needed * terms.to.priceUsd * powerOfTen(terms.from.decimals),
    terms.from.priceUsd * powerOfTen(terms.to.decimals),
  );
  return assemble(terms, toMinor(roundUp(asked, terms.from)), needed, amountTo);
}

function assemble(terms: QuoteTerms, amountFrom: Minor<"from">, gross: bigint, amountTo: Minor<"to">): Quote {
  return {
    amountFrom: amountFrom,
    gross: toMinor(gross),
    platformFee: toMinor(gross - terms.networkFee - amountTo),
    networkFee: terms.networkFee,
    amountTo: amountTo,
    price: ratio(amountTo * powerOfTen(terms.from.decimals), amountFrom * powerOfTen(terms.to.decimals)),
  };
}

const displayedUnit = (side: QuoteSide): bigint => powerOfTen(Math.max(0, side.decimals - DISPLAYED_DECIMALS));
const roundDown = (amount: bigint, side: QuoteSide): bigint =>
  divideDown(amount, displayedUnit(side)) * displayedUnit(side);
const roundUp = (amount: bigint, side: QuoteSide): bigint =>
  divideUp(amount, displayedUnit(side)) * displayedUnit(side);
