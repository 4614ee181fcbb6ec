import type { Order } from "#contract/order.ts";
import { track } from "../../shared/analytics/track.ts";

/** The page of an order that was just created, without language prefix. */
export const orderPath = ({ orderId, destinationAddress }: Order): string =>
  `/order/${orderId}?${new URLSearchParams({ destinationAddress })}`;

/** spec §4, exchange flow */
export function trackInitiated({ pair, rateMode }: Order): void {
  track({ event: "exchange initiated", from: pair.instrumentFrom.slug, to: pair.instrumentTo.slug, rateMode });
}
