import type { Order } from "#contract/order.ts";
import { receiptOf } from "../receipt.ts";
import { isOtherAmount } from "./deposits.ts";
import type { Screen } from "./screen.ts";

const RATE_IS_OVER: ReadonlySet<Screen> = new Set([
  "rate_ended",
  "expired",
  "attention",
  "choice",
  "refund",
  "refunded",
]);

/** True where what was promised is no longer what is paid: its rate has ended, or another sum arrived. */
export const isPromiseOver = (order: Order, screen: Screen): boolean =>
  RATE_IS_OVER.has(screen) || (screen === "processing" && isOtherAmount(order));

/** What an order exchanges: what it did once that is done, else what is agreed; null where neither holds. */
export function exchangedSums(order: Order, screen: Screen): { sent: string; paid: string } | null {
  if (screen === "completed") {
    const { sent, delivered } = receiptOf(order, "payout");
    return { sent, paid: delivered };
  }
  if (isPromiseOver(order, screen)) return null;
  return { sent: order.claimedDepositAmount, paid: order.amountToGet };
}
