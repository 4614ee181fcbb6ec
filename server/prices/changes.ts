import { HOUR_MS } from "#contract/durations.ts";
import { formatAmount } from "#contract/money.ts";
import type { PricePoint } from "./price-history.ts";

export const SPARKLINE_HOURS = 24;
const PERCENT_DECIMALS = 2;
const HUNDRED_PERCENT = 10_000n;

/** The newest of the prices around a time, where there is one. */
export const priceBefore = (points: readonly PricePoint[] | undefined): bigint | null => points?.at(-1)?.price ?? null;

/** From one price to another in percent with two decimals, rounded towards zero; null where either is unknown. */
export function changePercent(before: bigint | null, now: bigint | null): string | null {
  if (before === null || now === null || before === 0n) return null;
  return formatAmount(((now - before) * HUNDRED_PERCENT) / before, PERCENT_DECIMALS);
}

/** The prices of the last 24 whole hours, the running one last; null for an hour without one. */
export function hourlyPoints(points: readonly PricePoint[], now: number): (bigint | null)[] {
  const prices = new Map(points.map(({ at, price }) => [Math.floor(at.getTime() / HOUR_MS), price]));
  const newest = Math.floor(now / HOUR_MS);
  return Array.from({ length: SPARKLINE_HOURS }, (_, at) => prices.get(newest - SPARKLINE_HOURS + 1 + at) ?? null);
}
