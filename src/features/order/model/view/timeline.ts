import type { OrderCard } from "#contract/card.ts";
import type { Order } from "#contract/order.ts";
import {
  confirmationsOf,
  isConfirmed,
  isOtherAmount,
  mayWaitForCustomer,
  withdrawalTxIds,
  withdrawnTotal,
} from "./deposits.ts";
import { eventTime } from "./order-times.ts";
import { isPaymentHeld } from "./review.ts";
import type { Screen, StepState } from "./screen.ts";

/** What is said of a card provider's step; a key of the namespace `order` under `cardRow`. */
type CardStepText = `${OrderCard["direction"]}_${OrderCard["steps"][number]["kind"]}_${"done" | "open"}`;

/** One line of an order's story; `at` only where an event or a deposit has said when. */
export type TimelineRow = { state: StepState; at: string | null } & (
  | { kind: "waiting" | "deposit_gone" | "hold_ended" | "expired" | "attention" | "choice" | "refund_asked" }
  | { kind: "card"; step: CardStepText }
  | { kind: "card_ended" | "card_declined" | "card_refused" | "card_returning" | "card_returned" }
  | { kind: "deposit"; amount: string; txId: string; isUnconfirmed: boolean; isCounted: boolean }
  | { kind: "confirming"; count: number; required: number }
  | { kind: "accepted"; amount: string }
  /** No amount is said while the deposit is not the order's: what it pays is not known yet. */
  | { kind: "payout"; amount: string | null; txIds: string[] }
  | { kind: "refund_sent"; amount: string; txIds: string[] }
  | { kind: "arrives" | "refund_arrives" }
);

/** The rows of an order, oldest first, those to come last. */
export function timelineOf(order: Order, screen: Screen): TimelineRow[] {
  switch (screen) {
    case "preparing":
      return [];
    case "send":
      return [
        { kind: "waiting", state: "now", at: null },
        confirming(order, "next"),
        payout(order, "next"),
        arrives(order, "next"),
      ];
    case "rate_ended":
      return [rateEnd(order, "warning")];
    case "expired":
      return [
        ...(order.expiresAt === null ? [] : [rateEnd(order, "done")]),
        { kind: "expired", state: "warning", at: order.unpaidUntil },
        ...(order.deposits.length === 0 ? [] : deposits(order)),
      ];
    case "attention":
      return [
        ...deposits(order),
        confirming(order, isConfirmed(order) ? "done" : "now"),
        { kind: "attention", state: "warning", at: null },
      ];
    case "choice":
      return [...deposits(order), confirming(order, isConfirmed(order) ? "done" : "now"), choice(order)];
    case "refund":
    case "refunded":
      return [...deposits(order), ...refund(order, screen === "refunded")];
    case "processing":
    case "completed":
      return [...deposits(order), ...payoutRows(order, screen === "completed")];
  }
}

const rateEnd = (order: Order, state: StepState): TimelineRow => ({ kind: "hold_ended", state, at: order.expiresAt });

/** A deposit can leave the chain again in a reorganisation; its event stays, so the row must say that it is gone. */
function deposits(order: Order): TimelineRow[] {
  if (order.deposits.length === 0)
    return [{ kind: "deposit_gone", state: "warning", at: eventTime(order, "INCOMING_FUNDS_DETECTED") }];
  return order.deposits
    .toSorted((one, other) => Date.parse(one.detectedAt) - Date.parse(other.detectedAt))
    .map(({ amount, txId, detectedAt, confirmations, isCounted }) => ({
      kind: "deposit",
      state: "done",
      at: detectedAt,
      amount,
      txId,
      isUnconfirmed: confirmations === 0,
      isCounted,
    }));
}

const confirming = (order: Order, state: StepState): TimelineRow => ({
  kind: "confirming",
  state,
  at: null,
  ...confirmationsOf(order),
});

function payoutRows(order: Order, isCompleted: boolean): TimelineRow[] {
  const started = eventTime(order, "FUNDS_WITHDRAWAL_START");
  const isReady = started !== null || isConfirmed(order);
  const accepted = eventTime(order, "RATE_MODE_CHANGE_ACCEPTED");
  const isSent = isCompleted || withdrawalTxIds(order, "payout").length > 0;
  return [
    ...(accepted === null ? [] : [acceptance(order, accepted)]),
    confirming(order, isReady ? "done" : "now"),
    payout(order, isSent ? "done" : isReady && !mayWaitForCustomer(order) && !isPaymentHeld(order) ? "now" : "next"),
    arrives(order, isCompleted ? "done" : isSent ? "now" : "next"),
  ];
}

const acceptance = (order: Order, at: string): TimelineRow => ({
  kind: "accepted",
  state: "done",
  at,
  amount: order.amountToGet,
});

function payout(order: Order, state: StepState): TimelineRow {
  const hasStarted = order.withdrawals.some((withdrawal) => withdrawal.kind === "payout");
  const amount = hasStarted ? withdrawnTotal(order, "payout") : isOtherAmount(order) ? null : order.amountToGet;
  return {
    kind: "payout",
    state,
    // It is decided before it can be held: a time beside what is still to come would say that it was sent then.
    at: state === "next" ? null : eventTime(order, "FUNDS_WITHDRAWAL_START"),
    amount,
    txIds: withdrawalTxIds(order, "payout"),
  };
}

const arrives = (order: Order, state: StepState): TimelineRow => ({
  kind: "arrives",
  state,
  at: eventTime(order, "WITHDRAWAL_COMPLETED"),
});

const choice = (order: Order): TimelineRow => ({
  kind: "choice",
  state: "warning",
  at: eventTime(order, "RATE_MODE_CHANGED"),
});

function refund(order: Order, isRefunded: boolean): TimelineRow[] {
  const txIds = withdrawalTxIds(order, "refund");
  const isSent = isRefunded || txIds.length > 0;
  return [
    { kind: "refund_asked", state: "done", at: eventTime(order, "REFUND_REQUESTED") },
    {
      kind: "refund_sent",
      state: isSent ? "done" : isPaymentHeld(order) ? "next" : "now",
      at: null,
      amount: withdrawnTotal(order, "refund"),
      txIds,
    },
    {
      kind: "refund_arrives",
      state: isRefunded ? "done" : isSent ? "now" : "next",
      at: eventTime(order, "REFUND_COMPLETED"),
    },
  ];
}
