import type { Order } from "#contract/order.ts";
import { eventTime } from "../view/order-times.ts";
import type { Screen } from "../view/screen.ts";

export type CustomerActions = {
  accept: boolean;
  /** One of equal cards, a quiet second action, or refused by the service and not offered. */
  refund: "card" | "quiet" | null;
  /** What is sent to the same deposit address is added, and may help. */
  topUp: boolean;
};

const isBelow = ({ attention }: Order): boolean => attention?.reason === "BELOW_MINIMUM";

/**
 * What the customer may do now: a refund between the first deposit and the payout, or while no provider fills the order,
 * unless a new rate was accepted for the sum (contract §3).
 */
export function customerActions(order: Order, screen: Screen): CustomerActions {
  // The provider returns by itself what it does not carry out.
  if (order.card !== null) return { accept: false, refund: null, topUp: false };
  const hasDeposit = order.deposits.length > 0;
  if (screen === "attention") {
    return { accept: false, refund: hasDeposit ? "card" : null, topUp: isBelow(order) };
  }
  if (screen === "choice") {
    return { accept: order.offer !== null, refund: hasDeposit ? "card" : null, topUp: isBelow(order) };
  }
  const isOpen =
    screen === "processing" &&
    hasDeposit &&
    (eventTime(order, "FUNDS_WITHDRAWAL_START") === null || order.review?.reason === "NO_PROVIDER") &&
    eventTime(order, "RATE_MODE_CHANGE_ACCEPTED") === null;
  return { accept: false, refund: isOpen ? "quiet" : null, topUp: false };
}
