import { addDecimals, compareDecimals } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { requiredConfirmations } from "#contract/order-progress.ts";
import { eventTime } from "./order-times.ts";

/** Without those that are too small to open or complete anything: no payout and no refund is of them (contract §3). */
export const countedDeposits = ({ deposits }: Order) => deposits.filter(({ isCounted }) => isCounted);

/** All that counts of what arrived at the deposit address so far, in the sending coin. */
export const depositedTotal = (order: Order): string =>
  addDecimals(...countedDeposits(order).map(({ amount }) => amount));

/** What left us as payout (receiving coin) or refund (sending coin). */
export const withdrawnTotal = (order: Order, kind: "payout" | "refund"): string =>
  addDecimals(...order.withdrawals.flatMap((withdrawal) => (withdrawal.kind === kind ? [withdrawal.amount] : [])));

/** Transaction ids of payouts or refunds that have been broadcast. */
export const withdrawalTxIds = (order: Order, kind: "payout" | "refund"): string[] =>
  order.withdrawals.flatMap((withdrawal) =>
    withdrawal.kind === kind && withdrawal.txId !== null ? [withdrawal.txId] : [],
  );

/** Blocks counted and blocks needed; an order settles when its slowest deposit is confirmed (contract §3). */
export type Confirmations = { count: number; required: number };

/** Of the order's slowest counted deposit, never more than it needs; 0 before there is one. */
export function confirmationsOf(order: Order): Confirmations {
  const required = requiredConfirmations(order.pair.instrumentFrom, order.minConfirmationsToWithdraw);
  const counts = countedDeposits(order).map((deposit) => deposit.confirmations);
  return { count: counts.length === 0 ? 0 : Math.min(required, ...counts), required };
}

/** Seen in the mempool alone: a deposit in no block can still be withdrawn by its sender. */
export function isUnconfirmed(order: Order): boolean {
  const deposits = countedDeposits(order);
  return deposits.length > 0 && deposits.every(({ confirmations }) => confirmations === 0);
}

/** Whether each counted deposit has the confirmations that the order needs; false before there is one. */
export const isConfirmed = (order: Order): boolean => {
  const { count, required } = confirmationsOf(order);
  return countedDeposits(order).length > 0 && count >= required;
};

/** The sum that came in place of the order's; null where that very sum came, or none that the order counts. */
export function arrivedInstead(order: Order): string | null {
  if (countedDeposits(order).length === 0 || eventTime(order, "INCOMING_FUNDS_DETECTED") === null) return null;
  const arrived = depositedTotal(order);
  return compareDecimals(arrived, order.claimedDepositAmount) === 0 ? null : arrived;
}

/** True while what arrived so far is not the order's sum, and neither a payout nor a new rate was agreed on for it. */
export function isOtherAmount(order: Order): boolean {
  if (order.feesTaken !== null || eventTime(order, "FUNDS_WITHDRAWAL_START") !== null) return false;
  return arrivedInstead(order) !== null;
}

/**
 * True when a confirmed sum is not the order's and nothing is paid out yet: outside the bounds it stays so until its
 * customer acts (contract §3), and the bounds are not the page's to know.
 */
export function mayWaitForCustomer(order: Order): boolean {
  if (!isConfirmed(order) || eventTime(order, "FUNDS_WITHDRAWAL_START") !== null) return false;
  return compareDecimals(depositedTotal(order), order.claimedDepositAmount) !== 0;
}
