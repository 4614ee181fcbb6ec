import { compareDecimals } from "#contract/money.ts";
import type { PriceHistoryAnswer } from "#contract/prices.ts";

type Day = PriceHistoryAnswer["day"];

/** The lowest and the highest price of a day with the price of now, which the recorded ones don't have yet. */
export function dayExtremes(day: Day, price: string | null): Day {
  if (day === null || price === null) return day;
  return {
    low: compareDecimals(price, day.low) < 0 ? price : day.low,
    high: compareDecimals(price, day.high) > 0 ? price : day.high,
  };
}
