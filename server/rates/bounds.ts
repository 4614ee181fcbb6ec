import {
  divideDown,
  divideUp,
  parseAmount,
  powerOfTen,
  toMinor,
  type Minor,
  formatAmount,
  maxOf,
  minOf,
} from "#contract/money.ts";
import type { RateMode } from "#contract/rate.ts";
import { PRICE_DECIMALS, type CatalogueInstrument } from "../catalogue/index.ts";
import type { QuoteTerms } from "./quote.ts";

/** The minimum and maximum that may be sent, in minor units of the sending instrument. */
export type Bounds = { min: Minor<"from">; max: Minor<"from"> };

/** A bound that a person reads and types has few figures, so that it does not change with every small move of the market. */
const MIN_FIGURES = 2;
const MAX_FIGURES = 3;
/** A deposit is worth at least this many times what its payout costs. */
const FEE_MULTIPLE = 3n;

export type BoundsOf = {
  from: CatalogueInstrument;
  to: CatalogueInstrument;
  rateMode: RateMode;
  fromPriceUsd: bigint;
  toPriceUsd: bigint;
  /** In minor units of the receiving instrument. */
  networkFee: bigint;
};

/** The bounds of a pair: the narrower ones of its two instruments, and never less than its payout's cost asks for. */
export function depositBounds({ from, to, rateMode, fromPriceUsd, toPriceUsd, networkFee }: BoundsOf): Bounds {
  const feeUsd = divideUp(networkFee * toPriceUsd, powerOfTen(to.decimals));
  const minUsd = maxOf(usd(from.minUsd), usd(to.minUsd), feeUsd * FEE_MULTIPLE);
  const maxUsd =
    rateMode === "FIXED" ? minOf(usd(from.fixedMaxUsd), usd(to.fixedMaxUsd)) : minOf(usd(from.maxUsd), usd(to.maxUsd));
  return {
    min: toMinor(roundUp(divideUp(minUsd * powerOfTen(from.decimals), fromPriceUsd), MIN_FIGURES)),
    max: toMinor(roundDown(divideDown(maxUsd * powerOfTen(from.decimals), fromPriceUsd), MAX_FIGURES)),
  };
}

/** `amount` with at most `figures` significant figures, not less than it. */
const roundUp = (amount: bigint, figures: number): bigint => {
  const unit = unitOf(amount, figures);
  return divideUp(amount, unit) * unit;
};

/** `amount` with at most `figures` significant figures, not more than it. */
const roundDown = (amount: bigint, figures: number): bigint => {
  const unit = unitOf(amount, figures);
  return divideDown(amount, unit) * unit;
};

const unitOf = (amount: bigint, figures: number): bigint => powerOfTen(Math.max(0, amount.toString().length - figures));

function usd(decimal: string): bigint {
  const value = parseAmount(decimal, PRICE_DECIMALS);
  if (value === null) throw new RangeError(`a limit in USD has too many decimals: ${decimal}`);
  return value;
}

const ABOUT_USD = 500n;
const FIGURES = 2;

/** About 500 USD of the sending instrument, as a short decimal inside the pair's bounds. */
export function recommendedAmount({
  from,
  terms,
  bounds,
}: {
  from: CatalogueInstrument;
  terms: Pick<QuoteTerms, "from">;
  bounds: Bounds;
}): string {
  const exact = divideDown(ABOUT_USD * powerOfTen(18) * powerOfTen(from.decimals), terms.from.priceUsd);
  const short = roundDown(exact, FIGURES);
  const inside = short < bounds.min ? bounds.min : short > bounds.max ? bounds.max : short;
  return formatAmount(inside, from.decimals);
}
