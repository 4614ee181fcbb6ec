import { compareDecimals, decimalDistance, percentOf } from "#contract/money.ts";
import type { PairData } from "#contract/rate.ts";

/** What was claimed of an order, wire decimals. */
export type Claimed = { give: string; get: string };

type RateMove = { direction: "less" | "more"; difference: string; percent: string };

/** How much less or more a fresh rate brings than what was claimed; null where it answers another sum, or brings the same. */
export function rateMove(claimed: Claimed, fresh: Pick<PairData, "amountToGive" | "amountToGet">): RateMove | null {
  if (compareDecimals(claimed.give, fresh.amountToGive) !== 0) return null;
  const order = compareDecimals(fresh.amountToGet, claimed.get);
  const difference = decimalDistance(claimed.get, fresh.amountToGet);
  const percent = percentOf(difference, claimed.get);
  return order === 0 || percent === null ? null : { direction: order < 0 ? "less" : "more", difference, percent };
}
