import type { Order } from "#contract/order.ts";

/** How long after the hold the first deposit was seen, and how long the hold was, in seconds; null when it was in time. */
export function lateness({ createdAt, expiresAt, deposits }: Order): { seconds: number; holdSeconds: number } | null {
  if (expiresAt === null || deposits.length === 0) return null;
  const end = Date.parse(expiresAt);
  const seenAt = Math.min(...deposits.map(({ detectedAt }) => Date.parse(detectedAt)));
  const seconds = Math.round((seenAt - end) / 1000);
  return seconds > 0 ? { seconds, holdSeconds: Math.round((end - Date.parse(createdAt)) / 1000) } : null;
}
