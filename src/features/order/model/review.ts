import type { Order } from "#contract/order.ts";

type Reason = NonNullable<Order["review"]>["reason"];

const HOLDS_PAYMENT: ReadonlySet<Reason> = new Set<Reason>([
  "PAYMENT_CHECK",
  "PAYMENTS_STOPPED",
  "NO_PROVIDER",
  "REFUND_DELAYED",
  "REFUND_STOPPED",
]);

/** Nothing leaves us for this order until its review ends (contract §3). */
export const isPaymentHeld = ({ review }: Order): boolean => review !== null && HOLDS_PAYMENT.has(review.reason);
