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
  const middle = median(positive);
  if (middle === null) return null;
  const agreeing = positive.filter((price) => isWithin(price, middle, limits.outlierBps));
  if (agreeing.length < limits.minVenues || agreeing.length * 2 <= positive.length) return null;
  return median(agreeing);
}

function median(prices: readonly bigint[]): bigint | null {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2n;
}
