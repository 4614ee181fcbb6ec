import { compareDecimals } from "#contract/money.ts";
import type { ListedCoin } from "../load.ts";

export type Order = "listed" | "name" | "price" | "change24h" | "change7d";
export type Sorting = { readonly by: Order; readonly isReversed: boolean };

export const LISTED: Sorting = { by: "listed", isReversed: false };

/** What a press on a column's head does: its own order (names from A, figures from the largest), the other way round, as listed. */
export function nextSorting({ by, isReversed }: Sorting, pressed: Order): Sorting {
  if (by !== pressed) return { by: pressed, isReversed: false };
  return isReversed ? LISTED : { by, isReversed: true };
}

/** `aria-sort` of a column; none where the list isn't sorted by it. */
export const sortOf = ({ by, isReversed }: Sorting, column: Order): "ascending" | "descending" | undefined =>
  by !== column ? undefined : (by === "name") === isReversed ? "descending" : "ascending";

/** The coins whose name or ticker has the words, in an order; coins without the figure come last. */
export function findCoins(coins: readonly ListedCoin[], words: string, { by, isReversed }: Sorting): ListedCoin[] {
  const wanted = words.trim().toLowerCase();
  const found = coins.filter(({ name, ticker }) => `${name} ${ticker}`.toLowerCase().includes(wanted));
  if (by === "listed") return found;
  const turn = isReversed ? -1 : 1;
  if (by === "name") return found.toSorted((one, other) => turn * one.name.localeCompare(other.name, "en"));
  const figureOf = (coin: ListedCoin) => (by === "price" ? coin.priceUsd : coin[by]);
  return found.toSorted((one, other) => {
    const [figure, otherFigure] = [figureOf(one), figureOf(other)];
    if (figure === null || otherFigure === null) return Number(figure === null) - Number(otherFigure === null);
    return turn * byFigure(figure, otherFigure);
  });
}

/** The largest first. */
function byFigure(one: string, other: string): number {
  const [isBelow, isOtherBelow] = [one.startsWith("-"), other.startsWith("-")];
  if (isBelow !== isOtherBelow) return isBelow ? 1 : -1;
  return isBelow ? compareDecimals(one.slice(1), other.slice(1)) : compareDecimals(other, one);
}
