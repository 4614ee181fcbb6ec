import type { Order } from "#contract/order.ts";
import { requiredConfirmations } from "#contract/order-progress.ts";

/** Blocks counted and blocks needed; an order settles when its slowest deposit is confirmed (contract §3). */
export type Confirmations = { count: number; required: number };

export function confirmationsOf(order: Order): Confirmations {
  const required = requiredConfirmations(order.pair.instrumentFrom, order.minConfirmationsToWithdraw);
  const counts = order.deposits.map((deposit) => deposit.confirmations);
  return { count: counts.length === 0 ? 0 : Math.min(required, ...counts), required };
}

export const isConfirmed = (order: Order): boolean => {
  const { count, required } = confirmationsOf(order);
  return order.deposits.length > 0 && count >= required;
};
