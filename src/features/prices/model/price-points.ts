import { divideDecimals, multiplyDecimals, roundDecimal } from "#contract/money.ts";

/**
 * spec §4: what price points multiply one coin, and one dollar, by.
 *
 * @internal Exported for its tests.
 */
export const MULTIPLIERS = [
  "0.01",
  "0.1",
  "0.5",
  "1",
  "2",
  "3",
  "4",
  "5",
  "10",
  "20",
  "50",
  "100",
  "200",
  "500",
  "1000",
] as const;

/** spec §9: decimals of a coin, and of the other side. */
const COIN_DECIMALS = 8;
const USD_DECIMALS = 2;

export type PricePoint = { readonly amount: string; readonly worth: string };

/** What amounts of a coin are worth in dollars, to the cent; whole where that would be zero. */
export const coinPoints = (priceUsd: string): PricePoint[] =>
  MULTIPLIERS.map((amount) => {
    const worth = multiplyDecimals(amount, priceUsd);
    const rounded = roundDecimal(worth, USD_DECIMALS, "half-up");
    // Less than half a cent isn't nothing.
    return { amount, worth: rounded === "0" ? worth : rounded };
  });

/** How much of a coin amounts of dollars are worth; nothing for a coin without a price. */
export const dollarPoints = (priceUsd: string): PricePoint[] =>
  MULTIPLIERS.flatMap((amount) => {
    const worth = divideDecimals(amount, priceUsd);
    return worth === null ? [] : [{ amount, worth: roundDecimal(worth, COIN_DECIMALS, "half-up") }];
  });
