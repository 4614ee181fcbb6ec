import { useEffect } from "react";
import type { Order } from "#contract/order.ts";
import { type OrderTrackingEvent, track, useIsTracking } from "../../../shared/analytics/track.ts";
import { trackingEvents } from "../model/tracking-events.ts";

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
