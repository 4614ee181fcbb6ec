import { compareDecimals } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { isConfirmed } from "./confirmations.ts";
import { eventTime } from "./event-time.ts";
import { depositedTotal } from "./sums.ts";

/**
 * True when a confirmed sum is not the order's and nothing is paid out yet: outside the bounds it stays so until its
 * owner acts (contract §3), and the bounds are not the page's to know.
 */
export function mayWaitForOwner(order: Order): boolean {
  if (!isConfirmed(order) || eventTime(order, "FUNDS_WITHDRAWAL_START") !== null) return false;
  return compareDecimals(depositedTotal(order), order.claimedDepositAmount) !== 0;
}
