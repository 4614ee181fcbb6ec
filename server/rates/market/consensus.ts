import { bigintMedian } from "../../base/median.ts";
import { isWithin } from "./guard.ts";

export type ConsensusLimits = {
  /** Venues that must agree before a price is accepted. */
  minVenues: number;
  /** A venue further than this from the median, in hundredths of a percent, is left out. */
  outlierBps: bigint;
};

/**
 * The median of the venues' prices, USD scaled by 10^18, without outliers; null where too few agree, or where
 * the venues that agree are no majority.
 */
export function consensus(prices: readonly bigint[], limits: ConsensusLimits): bigint | null {
  const positive = prices.filter((price) => price > 0n);
  const middle = bigintMedian(positive);
  if (middle === null) return null;
  const agreeing = positive.filter((price) => isWithin(price, middle, limits.outlierBps));
  if (agreeing.length < limits.minVenues || agreeing.length * 2 <= positive.length) return null;
  return bigintMedian(agreeing);
}
