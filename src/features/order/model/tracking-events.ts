import type { OrderEvent, OrderEventKind } from "#contract/order.ts";
import type { OrderTrackingEvent } from "../../../shared/analytics/track.ts";

const STEPS: readonly (readonly [OrderEventKind, OrderTrackingEvent])[] = [
  ["INCOMING_FUNDS_DETECTED", "deposit seen"],
  ["RATE_MODE_CHANGED", "choice needed"],
  ["RATE_MODE_CHANGE_ACCEPTED", "new rate accepted"],
  ["REFUND_REQUESTED", "refund requested"],
  ["WITHDRAWAL_COMPLETED", "exchange completed"],
  ["REFUND_COMPLETED", "refund completed"],
];

/** The steps of the funnel that an order has come to, in their order, each once however often its event came. */
export const trackingEvents = (events: readonly Pick<OrderEvent, "kind">[]): OrderTrackingEvent[] =>
  STEPS.flatMap(([kind, step]) => (events.some((event) => event.kind === kind) ? [step] : []));
