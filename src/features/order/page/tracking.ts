import { useEffect } from "react";
import type { Order, OrderEvent, OrderEventKind } from "#contract/order.ts";
import { type OrderTrackingEvent, track, useIsTracking } from "../../../shared/analytics/track.ts";

const STEPS: readonly (readonly [OrderEventKind, OrderTrackingEvent])[] = [
  ["INCOMING_FUNDS_DETECTED", "deposit seen"],
  ["RATE_MODE_CHANGED", "choice needed"],
  ["RATE_MODE_CHANGE_ACCEPTED", "new rate accepted"],
  ["REFUND_REQUESTED", "refund requested"],
  ["WITHDRAWAL_COMPLETED", "exchange completed"],
  ["REFUND_COMPLETED", "refund completed"],
];

/**
 * The steps of the funnel that an order has come to, in their order, each once however often its event came.
 *
 * @internal Exported for its tests.
 */
export const trackingEvents = (events: readonly Pick<OrderEvent, "kind">[]): OrderTrackingEvent[] =>
  STEPS.flatMap(([kind, step]) => (events.some((event) => event.kind === kind) ? [step] : []));

/** Tells analytics, where they are on, each step that an order comes to, once on this device. */
export function useOrderTracking(order: Order): void {
  const isTracking = useIsTracking();
  useEffect(() => {
    if (isTracking) void trackOrderEvents(order, trackingEvents(order.orderEvents));
  }, [isTracking, order]);
}

/** Names the pair and the rate mode, never the order, its addresses or its sums. */
export async function trackOrderEvents(
  { reference, pair, rateMode }: Order,
  steps: readonly OrderTrackingEvent[],
): Promise<void> {
  const { takeUnsentEvents } = await import("./unsent-events.ts");
  const [from, to] = [pair.instrumentFrom.slug, pair.instrumentTo.slug];
  for (const event of takeUnsentEvents(reference, steps)) track({ event, from, to, rateMode });
}
