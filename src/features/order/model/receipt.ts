import { powerOfTen, ratio } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { eventTime } from "./event-time.ts";
import { depositedTotal, minorOf, withdrawalTxIds, withdrawnTotal } from "./sums.ts";

/** What a finished order came to: what was promised beside what was delivered. Amounts are wire decimals. */
export type Receipt = {
  kind: "payout" | "refund";
  sent: string;
  quoted: string;
  /** The sum of the new rate that the owner took in place of the quoted one; null where none was. */
  accepted: string | null;
  delivered: string;
  isAsQuoted: boolean;
  /** Why the money came back; null for a payout. */
  reason: "declined" | "asked" | null;
  /** Receiving coin per sending coin, all fees taken; null for a refund, or when nothing was sent. */
  rate: string | null;
  depositTxIds: string[];
  txIds: string[];
  finishedAt: string | null;
  secondsAfterDeposit: number | null;
};

export function receiptOf(order: Order, kind: "payout" | "refund"): Receipt {
  const sent = depositedTotal(order);
  const quoted = order.claimedPublicRate.claimedAmountToReceive;
  const delivered = withdrawnTotal(order, kind);
  const finishedAt = eventTime(order, kind === "payout" ? "WITHDRAWAL_COMPLETED" : "REFUND_COMPLETED");
  return {
    kind,
    sent,
    quoted,
    accepted: kind === "payout" && eventTime(order, "RATE_MODE_CHANGE_ACCEPTED") !== null ? order.amountToGet : null,
    delivered,
    isAsQuoted: kind === "payout" && delivered === quoted,
    reason: kind === "refund" ? reasonOf(order) : null,
    rate: kind === "payout" ? deliveredRate(order, sent, delivered) : null,
    depositTxIds: order.deposits.map((deposit) => deposit.txId),
    txIds: withdrawalTxIds(order, kind),
    finishedAt,
    secondsAfterDeposit: secondsBetween(eventTime(order, "INCOMING_FUNDS_DETECTED"), finishedAt),
  };
}

const reasonOf = (order: Order): "declined" | "asked" =>
  eventTime(order, "RATE_MODE_CHANGED") === null ? "asked" : "declined";

/** Our fee as a share of what the deposit was worth, in percent with at most two decimals. */
export function feePercent(order: Order): string | null {
  const { precisionDecimals } = order.pair.instrumentTo;
  const { platformFee_Absolute, finalNetworkFeeAmount, claimedAmountToReceive } = order.claimedPublicRate;
  const [fee, networkFee, get] = [platformFee_Absolute, finalNetworkFeeAmount, claimedAmountToReceive].map((amount) =>
    minorOf(amount, precisionDecimals),
  );
  if (fee === undefined || networkFee === undefined || get === undefined) return null;
  const worth = get + fee + networkFee;
  if (worth === 0n) return null;
  const hundredths = (fee * 10_000n + worth / 2n) / worth;
  return ratio(hundredths, 100n);
}

function deliveredRate(order: Order, sent: string, delivered: string): string | null {
  const { instrumentFrom, instrumentTo } = order.pair;
  const from = minorOf(sent, instrumentFrom.precisionDecimals) * powerOfTen(instrumentTo.precisionDecimals);
  const to = minorOf(delivered, instrumentTo.precisionDecimals) * powerOfTen(instrumentFrom.precisionDecimals);
  return from === 0n ? null : ratio(to, from);
}

function secondsBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}
