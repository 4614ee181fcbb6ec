import type { Order } from "#contract/order.ts";

type Reason = NonNullable<Order["review"]>["reason"];

const HOLDS_PAYMENT: ReadonlySet<Reason> = new Set<Reason>([
  "PAYMENT_CHECK",
  "PAYMENTS_STOPPED",
  "NO_PROVIDER",
  "REFUND_TOO_SMALL",
  "REFUND_DELAYED",
  "REFUND_STOPPED",
]);

/** Nothing leaves us for this order until its review ends (contract §3); a deposit's check holds only what has not begun. */
export function isPaymentHeld(order: Order): boolean {
  if (order.review === null) return false;
  const { reason } = order.review;
  return HOLDS_PAYMENT.has(reason) || (reason === "DEPOSIT_CHECK" && !hasPaymentBegun(order));
}

const hasPaymentBegun = ({ orderEvents, withdrawals }: Order): boolean =>
  withdrawals.length > 0 || orderEvents.some(({ kind }) => kind === "FUNDS_WITHDRAWAL_START");
