import type { Order, OrderEventKind } from "./order.ts";
import type { RateMode } from "./rate.ts";

/** What progress is read from: events newest first (contract §3). */
type Events = readonly { kind: OrderEventKind }[];

export type StepIndex = 1 | 2 | 3 | 4;
type DisplayStatus = OrderEventKind | "res";
/** An order's progress; `expired` is the one state that no event tells of (contract §3). */
type Progress = { status: Order["status"]; orderEvents: Events };
export type RateWarningCause = 1 | 2 | 3;

const CAUSES: readonly [OrderEventKind, RateWarningCause][] = [
  ["FIXED_RATE_HIGH_VOLATILITY_DETECTED", 1],
  ["FIXED_RATE_SLOW_DEPOSIT_DETECTED", 2],
  ["FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED", 3],
];

const has = (events: Events, kind: OrderEventKind): boolean => events.some((event) => event.kind === kind);

const isAnswered = (events: Events): boolean =>
  has(events, "REFUND_REQUESTED") || has(events, "RATE_MODE_CHANGE_ACCEPTED");

/** 1 send, 2 processing, 3 completed, 4 refund completed (spec §4). */
export function stepIndex(events: Events): StepIndex {
  if (has(events, "REFUND_COMPLETED")) return 4;
  if (has(events, "WITHDRAWAL_COMPLETED")) return 3;
  if (has(events, "INCOMING_FUNDS_DETECTED")) return 2;
  return 1;
}

/** Refund completed, refund requested, else the newest event; no events give `res` (spec §4, contract §3). */
export function displayStatus(events: Events): DisplayStatus {
  if (has(events, "REFUND_COMPLETED")) return "REFUND_COMPLETED";
  if (has(events, "REFUND_REQUESTED")) return "REFUND_REQUESTED";
  return events[0]?.kind ?? "res";
}

/** True while the customer of an order that became floating has neither requested a refund nor accepted (spec §4). */
export const showsRateChangeWarning = (events: Events): boolean =>
  has(events, "RATE_MODE_CHANGED") && !isAnswered(events);

/** Why the fixed rate ended: 1 high volatility, 2 slow deposit, 3 wrong amount; null without a warning (spec §4). */
export function rateWarning(events: Events): RateWarningCause | null {
  if (isAnswered(events)) return null;
  return CAUSES.find(([kind]) => has(events, kind))?.[1] ?? null;
}

/** 50 when XMR on XMR is sent, otherwise the order's own figure (spec §4). */
export function requiredConfirmations(
  sending: { currencyTitle: string; networkTitle: string },
  minConfirmationsToWithdraw: number,
): number {
  return sending.currencyTitle === "XMR" && sending.networkTitle === "XMR" ? 50 : minConfirmationsToWithdraw;
}

/** True once nothing can happen to an order any more: completed, refunded, or expired without a deposit (contract §3). */
export const isOrderOver = ({ status, orderEvents }: Progress): boolean =>
  status === "expired" || stepIndex(orderEvents) >= 3;

/** The page polls until step 3 or higher, or until the address is found incorrect (spec §4), or the order expires (contract §3). */
export const keepsPolling = (order: Progress, isAddressIncorrect: boolean): boolean =>
  !isAddressIncorrect && !isOrderOver(order);

/** Fixed-rate orders also load refund info (spec §4). */
export const loadsRefundInfo = (rateMode: RateMode): boolean => rateMode === "FIXED";
