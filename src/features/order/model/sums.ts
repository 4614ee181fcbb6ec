import { formatAmount, parseAmount } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";

/** Minor units of an amount that the server sent; an amount with more decimals than its coin is a broken answer. */
export function minorOf(amount: string, decimals: number): bigint {
  const minor = parseAmount(amount, decimals);
  if (minor === null) throw new RangeError(`not an amount with at most ${decimals} decimals: ${amount}`);
  return minor;
}

const sum = (amounts: readonly string[], decimals: number): string =>
  formatAmount(
    amounts.reduce((total, amount) => total + minorOf(amount, decimals), 0n),
    decimals,
  );

/** All that arrived at the deposit address so far, in the sending coin. */
export const depositedTotal = (order: Order): string =>
  sum(
    order.deposits.map((deposit) => deposit.amount),
    order.pair.instrumentFrom.precisionDecimals,
  );

/** What left us as payout (receiving coin) or refund (sending coin). */
export function withdrawnTotal(order: Order, kind: "payout" | "refund"): string {
  const { instrumentFrom, instrumentTo } = order.pair;
  const amounts = order.withdrawals
    .filter((withdrawal) => withdrawal.kind === kind)
    .map((withdrawal) => withdrawal.amount);
  return sum(amounts, (kind === "payout" ? instrumentTo : instrumentFrom).precisionDecimals);
}

/** Transaction ids of payouts or refunds that have been broadcast. */
export const withdrawalTxIds = (order: Order, kind: "payout" | "refund"): string[] =>
  order.withdrawals.flatMap((withdrawal) =>
    withdrawal.kind === kind && withdrawal.txId !== null ? [withdrawal.txId] : [],
  );
