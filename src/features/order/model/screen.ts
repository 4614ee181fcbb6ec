import type { Order } from "#contract/order.ts";
import { rateWarning, shownStatus, showsRateChangeWarning, stepIndex } from "#contract/order-progress.ts";

/** The one screen that an order is on; each is a layout of its own. */
export type Screen = "preparing" | "send" | "expired" | "processing" | "choice" | "refund" | "completed" | "refunded";

/** Where an order stands at `now` (milliseconds, the server's clock), from its events alone (spec §4). */
export function screenOf(order: Order, now: number): Screen {
  const events = order.orderEvents;
  const step = stepIndex(events);
  if (step === 4) return "refunded";
  if (step === 3) return "completed";
  if (shownStatus(events) === "REFUND_REQUESTED") return "refund";
  if (showsRateChangeWarning(events) || rateWarning(events) !== null) return "choice";
  if (step === 2) return "processing";
  if (events.length === 0) return "preparing";
  return order.expiresAt !== null && Date.parse(order.expiresAt) <= now ? "expired" : "send";
}
