import type { Order } from "#contract/order.ts";
import { type Countdown, countdown } from "../view/countdown.ts";

export type OfferTime = { countdown: Countdown; hasEnded: boolean };

/** The page's clock may run ahead of the service's by as much. */
const AHEAD_MS = 1000;

/**
 * How long an order's offer is good at `now` (milliseconds, the page's clock); null without an offer. It has ended only
 * once it certainly has at the service too, so that asking for another one never accepts this one.
 */
export function offerTime({ offer }: Order, now: number): OfferTime | null {
  if (offer === null) return null;
  return {
    countdown: countdown(offer.at, offer.validUntil, now),
    hasEnded: now - AHEAD_MS >= Date.parse(offer.validUntil),
  };
}
