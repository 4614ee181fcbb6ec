import { addDecimals } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";

/** All that arrived at the deposit address so far, in the sending coin. */
export const depositedTotal = (order: Order): string => addDecimals(...order.deposits.map((deposit) => deposit.amount));

/** What left us as payout (receiving coin) or refund (sending coin). */
export const withdrawnTotal = (order: Order, kind: "payout" | "refund"): string =>
  addDecimals(...order.withdrawals.flatMap((withdrawal) => (withdrawal.kind === kind ? [withdrawal.amount] : [])));

/** Transaction ids of payouts or refunds that have been broadcast. */
export const withdrawalTxIds = (order: Order, kind: "payout" | "refund"): string[] =>
  order.withdrawals.flatMap((withdrawal) =>
    withdrawal.kind === kind && withdrawal.txId !== null ? [withdrawal.txId] : [],
  );
