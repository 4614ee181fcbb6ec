import { MINUTE_MS } from "#contract/durations.ts";
import { powerOfTen } from "#contract/money.ts";
/** Digits that an amount keeps: with more of them, an order's two amounts can be found on their chains and joined. */
const DIGITS = 2;

/** An amount as the public sees it, rounded to two significant digits. */
export function roundedAmount(amount: bigint): bigint {
  const unit = powerOfTen(Math.max(0, amount.toString().length - DIGITS));
  return ((amount + unit / 2n) / unit) * unit;
}

/** A moment as the public sees it. */
export const wholeMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);

/**
 * Up to when the public sees completions: whole batches, of which the last one ended a batch ago. A list that showed each at once would tell
 * its moment to whoever polls it, and the moment joins the order's two payments on their chains. A batch of 0 shows each at once.
 */
export const publishedUntil = (now: Date, batchMs: number): Date =>
  batchMs === 0 ? now : new Date((Math.floor(now.getTime() / batchMs) - 1) * batchMs);

/** A duration in seconds as the public sees it: of whole minutes, and at least one. */
export const roundedMinutes = (seconds: number): number => Math.max(1, Math.round(seconds / 60)) * 60;
