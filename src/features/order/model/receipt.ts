import { addDecimals, decimalPlaces, minorUnits, percentOf, ratio } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { eventTime } from "./view/order-times.ts";
import { withdrawalTxIds, withdrawnTotal } from "./view/deposits.ts";

/** What a finished order came to: what was promised beside what was delivered. Amounts are wire decimals. */
export type Receipt = {
  kind: "payout" | "refund";
  sent: string;
  quoted: string;
  /** The sum of the new rate that the customer accepted in place of the quoted one; null where none was. */
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

/** What the receipt of an order's payout or refund shows; its amounts are wire decimals. */
export function receiptOf(order: Order, kind: "payout" | "refund"): Receipt {
  const counted = countedDeposits(order, kind);
  // What a card provider takes and pays is not ours to book.
  const isByCard = order.card !== null;
  const isUnreported = isByCard && counted.length === 0;
  const sent = isUnreported ? order.claimedDepositAmount : addDecimals(...counted.map((deposit) => deposit.amount));
  const quoted = order.claimedPublicRate.claimedAmountToReceive;
  const delivered = isByCard ? order.amountToGet : withdrawnTotal(order, kind);
  const finishedAt = eventTime(order, kind === "payout" ? "WITHDRAWAL_COMPLETED" : "REFUND_COMPLETED");
  return {
    kind,
    sent,
    quoted,
    accepted: kind === "payout" && eventTime(order, "RATE_MODE_CHANGE_ACCEPTED") !== null ? order.amountToGet : null,
    delivered,
    isAsQuoted: kind === "payout" && delivered === quoted,
    reason: kind === "refund" ? reasonOf(order) : null,
    rate: kind === "payout" ? deliveredRate(sent, delivered) : null,
    depositTxIds: counted.map((deposit) => deposit.txId),
    txIds: withdrawalTxIds(order, kind),
    finishedAt,
    secondsAfterDeposit: secondsBetween(eventTime(order, "INCOMING_FUNDS_DETECTED"), finishedAt),
  };
}

/** Without those that came once the order was paid or are too small to count: they are no part of what it exchanged (contract §3). */
function countedDeposits(order: Order, kind: "payout" | "refund"): Order["deposits"] {
  const end = eventTime(order, kind === "payout" ? "FUNDS_WITHDRAWAL_START" : "REFUND_COMPLETED");
  const isInTime = (at: string) => end === null || Date.parse(at) <= Date.parse(end);
  return order.deposits.filter(({ detectedAt, isCounted }) => isCounted && isInTime(detectedAt));
}

const reasonOf = (order: Order): "declined" | "asked" =>
  eventTime(order, "RATE_MODE_CHANGED") === null ? "asked" : "declined";

export type Fees = {
  platformFee: string;
  networkFee: string;
  /** Our fee as a share of what the deposit was worth, in percent with at most two decimals; null where there is none. */
  percent: string | null;
};

/** The fees that were taken of an order's deposit; as long as that is not decided, those of the quote. */
export function feesOf({ claimedPublicRate, amountToGet, feesTaken }: Order): Fees {
  const { platformFee_Absolute, finalNetworkFeeAmount, claimedAmountToReceive } = claimedPublicRate;
  const { platformFee, networkFee } = feesTaken ?? {
    platformFee: platformFee_Absolute,
    networkFee: finalNetworkFeeAmount,
  };
  const arrives = feesTaken === null ? claimedAmountToReceive : amountToGet;
  return { platformFee, networkFee, percent: percentOf(platformFee, addDecimals(arrives, platformFee, networkFee)) };
}

/** What one sending coin came to; null when nothing was sent. */
export function deliveredRate(sent: string, delivered: string): string | null {
  const decimals = Math.max(decimalPlaces(sent), decimalPlaces(delivered));
  const sentUnits = minorUnits(sent, decimals);
  return sentUnits === 0n ? null : ratio(minorUnits(delivered, decimals), sentUnits);
}

function secondsBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}
