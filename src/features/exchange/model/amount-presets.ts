import { compareDecimals } from "#contract/money.ts";
import type { PairData } from "#contract/rate.ts";

/** spec §3, "Amount preset multipliers": of one whole coin. */
const MULTIPLIERS = "0.01 0.1 0.5 1 2 3 4 5 10 20 50 100 200 500 1000".split(" ");

/** The round amounts that a pair takes, in the sending instrument. */
export const amountPresets = ({ minAmount, maxAmount }: PairData["depositRules"]): string[] =>
  MULTIPLIERS.filter(
    (amount) =>
      compareDecimals(amount, minAmount) >= 0 && (maxAmount === null || compareDecimals(amount, maxAmount) <= 0),
  );

const MAX_COLUMNS = 5;

/** How many columns a list of so many has where there is room: the fewest that need no more rows, so that the last is not left with one. */
export const presetColumns = (count: number): number => Math.ceil(count / Math.ceil(count / MAX_COLUMNS));
