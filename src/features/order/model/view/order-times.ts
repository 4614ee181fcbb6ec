import type { Order, OrderEventKind } from "#contract/order.ts";

/** When an event of an order happened; null when it has not. */
export const eventTime = (order: Order, kind: OrderEventKind): string | null =>
  order.orderEvents.find((event) => event.kind === kind)?.at ?? null;

/** About how long the missing confirmations take, in seconds; null where the network's pace is not known. */
export const secondsToConfirm = (
  blockSeconds: number | null,
  { count, required }: { count: number; required: number },
): number | null => (blockSeconds === null ? null : Math.max(0, required - count) * blockSeconds);

/**
 * How long after the rate lock the first deposit was seen, and how long the rate lock was, in seconds; null when it was
 * in time.
 */
export function depositDelay({
  createdAt,
  expiresAt,
  deposits,
}: Order): { seconds: number; rateLockSeconds: number } | null {
  if (expiresAt === null || deposits.length === 0) return null;
  const end = Date.parse(expiresAt);
  const seenAt = Math.min(...deposits.map(({ detectedAt }) => Date.parse(detectedAt)));
  const seconds = Math.round((seenAt - end) / 1000);
  return seconds > 0 ? { seconds, rateLockSeconds: Math.round((end - Date.parse(createdAt)) / 1000) } : null;
}
