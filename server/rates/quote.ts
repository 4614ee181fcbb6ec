import { divideDown, divideUp, powerOfTen, ratio, toMinor, type Minor } from "#contract/money.ts";

/** One side of a pair: its precision and its USD price, scaled by 10^18. */
export type QuoteSide = { decimals: number; priceUsd: bigint };

export type QuoteTerms = {
  give: QuoteSide;
  get: QuoteSide;
  /** What the house takes of the market value, in hundredths of a percent. */
  platformFeeBps: bigint;
  /** A margin on the market price; shown inside the platform fee, so that the sum still adds up. */
  spreadBps: bigint;
  /** What sending the payout costs, in minor units of the receiving instrument. */
  networkFee: Minor<"get">;
};

export type Ask = { side: "give"; amount: Minor<"give"> } | { side: "get"; amount: Minor<"get"> };

/** `gross − platformFee − networkFee = get`, exactly; `price` is get per give as a decimal. */
export type Quote = {
  give: Minor<"give">;
  gross: Minor<"get">;
  platformFee: Minor<"get">;
  networkFee: Minor<"get">;
  get: Minor<"get">;
  price: string;
};

const BPS = 10_000n;

/** Finer decimals are never shown, so they are never quoted: what a person reads is what is paid. */
const SHOWN_DECIMALS = 8;

/**
 * The one price of the house, in both directions (contract §2). What is paid is rounded down, what is asked is rounded up
 * (engine law 9). Null when the fees eat the whole amount.
 */
export function quote(terms: QuoteTerms, ask: Ask): Quote | null {
  return ask.side === "give" ? quoteGive(terms, ask.amount) : quoteGet(terms, ask.amount);
}

/** The market value of an amount in the other instrument, before any fee, rounded down. */
export function marketValue(give: QuoteSide, get: QuoteSide, amount: bigint): bigint {
  return divideDown(amount * give.priceUsd * powerOfTen(get.decimals), get.priceUsd * powerOfTen(give.decimals));
}

function quoteGive(terms: QuoteTerms, give: Minor<"give">): Quote | null {
  const gross = roundDown(marketValue(terms.give, terms.get, give), terms.get);
  const fee = divideUp(gross * (terms.platformFeeBps + terms.spreadBps), BPS);
  const get = roundDown(gross - fee - terms.networkFee, terms.get);
  return get > 0n ? assemble(terms, give, gross, toMinor(get)) : null;
}

function quoteGet(terms: QuoteTerms, get: Minor<"get">): Quote | null {
  if (get <= 0n) return null;
  const rest = BPS - terms.platformFeeBps - terms.spreadBps;
  const needed = roundUp(divideUp((get + terms.networkFee) * BPS, rest), terms.get);
  const asked = divideUp(
    needed * terms.get.priceUsd * powerOfTen(terms.give.decimals),
    terms.give.priceUsd * powerOfTen(terms.get.decimals),
  );
  return assemble(terms, toMinor(roundUp(asked, terms.give)), needed, get);
}

function assemble(terms: QuoteTerms, give: Minor<"give">, gross: bigint, get: Minor<"get">): Quote {
  return {
    give,
    gross: toMinor(gross),
    platformFee: toMinor(gross - terms.networkFee - get),
    networkFee: terms.networkFee,
    get,
    price: ratio(get * powerOfTen(terms.give.decimals), give * powerOfTen(terms.get.decimals)),
  };
}

const shownUnit = (side: QuoteSide): bigint => powerOfTen(Math.max(0, side.decimals - SHOWN_DECIMALS));
const roundDown = (amount: bigint, side: QuoteSide): bigint => divideDown(amount, shownUnit(side)) * shownUnit(side);
const roundUp = (amount: bigint, side: QuoteSide): bigint => divideUp(amount, shownUnit(side)) * shownUnit(side);
