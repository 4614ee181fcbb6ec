import { divideDecimals } from "#contract/money.ts";
import type { PriceHistoryAnswer } from "#contract/prices.ts";

type Points = PriceHistoryAnswer["points"];

/** Enough for the cheapest coin in the dearest one. */
const DECIMALS = 18;

/** What one coin cost in another; a time without a price of either has none. */
export function ratioPoints(points: Points, inCoin: Points): Points {
  const prices = new Map(inCoin.map(([at, price]) => [Date.parse(at), price]));
  return points.flatMap(([at, price]) => {
    const other = prices.get(Date.parse(at));
    const ratio = other === undefined ? null : divideDecimals(price, other, DECIMALS);
    return ratio === null || ratio === "0" ? [] : [[at, ratio]];
  });
}
