import { divideDown, formatAmount, powerOfTen } from "#contract/money.ts";
import { roundDown } from "./bounds.ts";
import type { Pricing } from "./pricing.ts";

const ABOUT_USD = 500n;
const FIGURES = 2;

/** About 500 USD of the sending instrument, as a short decimal inside the pair's bounds. */
export function recommendedAmount({ from, terms, bounds }: Pricing): string {
  const exact = divideDown(ABOUT_USD * powerOfTen(18) * powerOfTen(from.decimals), terms.from.priceUsd);
  const short = roundDown(exact, FIGURES);
  const inside = short < bounds.min ? bounds.min : short > bounds.max ? bounds.max : short;
  return formatAmount(inside, from.decimals);
}
