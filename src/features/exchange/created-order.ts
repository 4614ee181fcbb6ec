import type { Order } from "#contract/order.ts";
import { track } from "../../shared/analytics/track.ts";

/** spec §4, exchange flow */
export function trackInitiated({ pair, rateMode }: Order): void {
  track({ event: "exchange initiated", from: pair.instrumentFrom.slug, to: pair.instrumentTo.slug, rateMode });
}
