import { compareDecimals } from "#contract/money.ts";
import type { ListedCoin } from "../load.ts";

export type Order = "listed" | "name" | "price" | "change24h" | "change7d";

/** The coins whose name or ticker has the words, in an order; coins without the figure come last. */
export function findCoins(coins: readonly ListedCoin[], words: string, order: Order): ListedCoin[] {
  const wanted = words.trim().toLowerCase();
  const found = coins.filter(({ name, ticker }) => `${name} ${ticker}`.toLowerCase().includes(wanted));
  if (order === "listed") return found;
  if (order === "name") return found.toSorted((one, other) => one.name.localeCompare(other.name, "en"));
  const figureOf = (coin: ListedCoin) => (order === "price" ? coin.priceUsd : coin[order]);
  return found.toSorted((one, other) => byFigure(figureOf(one), figureOf(other)));
}

/** The largest first. */
function byFigure(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const [isBelow, isOtherBelow] = [one.startsWith("-"), other.startsWith("-")];
  if (isBelow !== isOtherBelow) return isBelow ? 1 : -1;
  return isBelow ? compareDecimals(one.slice(1), other.slice(1)) : compareDecimals(other, one);
}
