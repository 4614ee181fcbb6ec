import { divideDown, divideUp, parseAmount, powerOfTen, toMinor, type Minor } from "#contract/money.ts";
import type { RateMode } from "#contract/rate.ts";
import { PRICE_DECIMALS, type CatalogueInstrument } from "../catalogue/index.ts";
import type { QuoteSide } from "./quote.ts";

/** The least and the most that may be sent, in minor units of the sending instrument. */
export type Bounds = { min: Minor<"give">; max: Minor<"give"> };

/** A bound that a person reads and types has few figures, and so does not change with every breath of the market. */
const MIN_FIGURES = 2;
const MAX_FIGURES = 3;
/** A deposit is worth at least this many times what its payout costs. */
const FEE_MULTIPLE = 3n;

export type BoundsOf = {
  from: CatalogueInstrument;
  to: CatalogueInstrument;
  rateMode: RateMode;
  give: QuoteSide;
  get: QuoteSide;
  /** In minor units of the receiving instrument. */
  networkFee: bigint;
};

/** The bounds of a pair: the narrower ones of its two instruments, and never less than its payout's cost asks for. */
export function giveBounds({ from, to, rateMode, give, get, networkFee }: BoundsOf): Bounds {
  const feeUsd = divideUp(networkFee * get.priceUsd, powerOfTen(get.decimals));
  const minUsd = most(usd(from.minUsd), usd(to.minUsd), feeUsd * FEE_MULTIPLE);
  const maxUsd =
    rateMode === "FIXED" ? least(usd(from.fixedMaxUsd), usd(to.fixedMaxUsd)) : least(usd(from.maxUsd), usd(to.maxUsd));
  return {
    min: toMinor(roundUp(divideUp(minUsd * powerOfTen(give.decimals), give.priceUsd), MIN_FIGURES)),
    max: toMinor(roundDown(divideDown(maxUsd * powerOfTen(give.decimals), give.priceUsd), MAX_FIGURES)),
  };
}

/** `amount` with at most `figures` significant figures, not less than it. */
export const roundUp = (amount: bigint, figures: number): bigint => {
  const unit = unitOf(amount, figures);
  return divideUp(amount, unit) * unit;
};

/** `amount` with at most `figures` significant figures, not more than it. */
export const roundDown = (amount: bigint, figures: number): bigint => {
  const unit = unitOf(amount, figures);
  return divideDown(amount, unit) * unit;
};

const unitOf = (amount: bigint, figures: number): bigint => powerOfTen(Math.max(0, amount.toString().length - figures));

function usd(decimal: string): bigint {
  const value = parseAmount(decimal, PRICE_DECIMALS);
  if (value === null) throw new RangeError(`a limit in USD has too many decimals: ${decimal}`);
  return value;
}

const most = (...values: [bigint, ...bigint[]]): bigint => values.reduce((a, b) => (a > b ? a : b));
const least = (...values: [bigint, ...bigint[]]): bigint => values.reduce((a, b) => (a < b ? a : b));
