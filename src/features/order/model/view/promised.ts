import type { Order } from "#contract/order.ts";
import { deliveredRate, receiptOf } from "../receipt.ts";
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

type AgreedSums = {
  readonly sent: string;
  readonly paid: string;
  /** Receiving coin per sending coin, all fees taken. */
  readonly price: string;
};

/** What is paid for what: the quote, or what took its place once a payout or a new rate is decided (contract §3). */
export function agreedSums(order: Order): AgreedSums {
  const { claimedDepositAmount, claimedPublicRate, amountToGet, feesTaken } = order;
  const quoted = { sent: claimedDepositAmount, paid: amountToGet, price: claimedPublicRate.price };
  // What a card provider takes is not named as a deposit.
  if (feesTaken === null || order.card !== null) return quoted;
  const { sent } = receiptOf(order, "payout");
  const price = deliveredRate(sent, amountToGet);
  const isAsQuoted = sent === claimedDepositAmount && amountToGet === claimedPublicRate.claimedAmountToReceive;
  return isAsQuoted || price === null ? quoted : { sent, paid: amountToGet, price };
}

/** What an order exchanges: what it did once that is done, else what is agreed; null where neither holds. */
export function exchangedSums(order: Order, screen: Screen): { sent: string; paid: string } | null {
  if (screen === "completed") {
    const { sent, delivered } = receiptOf(order, "payout");
    return { sent, paid: delivered };
  }
  if (isPromiseOver(order, screen)) return null;
  return agreedSums(order);
}
