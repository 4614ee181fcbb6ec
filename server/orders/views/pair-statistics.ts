import { bigintMedian, median } from "../../base/median.ts";
import type { PairStatistics } from "#contract/site/pair-activity.ts";
import { formatAmount } from "#contract/money.ts";
import type { OrderState } from "../decisions/order.ts";
import { roundedMinutes } from "./public-figures.ts";

/** Nothing is shown of a handful: it would say little of the next exchange, and much of those. */
const FEWEST = 20;
const PERCENT_DECIMALS = 2;
const HUNDRED_PERCENT = 10_000n;

/** A completed exchange; `seconds` from its first deposit to its payout, null where that is unknown. */
export type CompletedExchange = {
  readonly state: Extract<OrderState, { kind: "completed" }>;
  readonly seconds: number | null;
};

/** How the exchanges of a pair went; null where too few are known. */
export function pairStatistics(completed: readonly CompletedExchange[]): PairStatistics | null {
  if (completed.length < FEWEST) return null;
  const times = completed.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
  return {
    exchanges: completed.length,
    medianSeconds: times.length < FEWEST ? null : roundedMinutes(median(times)),
    delivered: delivered(completed.flatMap(({ state }) => differenceOf(state))),
  };
}

/** In hundredths of a percent of what was quoted; nothing where the deposit was another amount than agreed. */
function differenceOf({ terms, payout }: CompletedExchange["state"]): bigint[] {
  const quoted: bigint = terms.quoted.amountTo;
  if (payout.received !== terms.claimedDepositAmount || quoted === 0n) return [];
  return [((payout.amount - quoted) * HUNDRED_PERCENT) / quoted];
}

function delivered(differences: readonly bigint[]): PairStatistics["delivered"] {
  const middle = bigintMedian(differences);
  if (middle === null || differences.length < FEWEST) return null;
  return {
    exchanges: differences.length,
    medianDifference: formatAmount(middle, PERCENT_DECIMALS),
    atLeastQuotedShare: differences.filter((difference) => difference >= 0n).length / differences.length,
  };
}
