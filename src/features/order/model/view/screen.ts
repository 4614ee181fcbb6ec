import type { Order } from "#contract/order.ts";
import {
  rateWarning,
  displayStatus,
  showsRateChangeWarning,
  stepIndex,
  keepsPolling,
} from "#contract/order-progress.ts";

/** The one screen that an order is on; each is a layout of its own. */
export type Screen =
  | "preparing"
  | "send"
  /** The time of a fixed rate is over; the order can still be paid and then floats. */
  | "rate_ended"
  /** Nobody paid the order: it is over. */
  | "expired"
  | "processing"
  /** What arrived is outside the bounds: it waits for its customer. */
  | "attention"
  | "choice"
  | "refund"
  | "completed"
  | "refunded";

/** Where an order stands at `now` (milliseconds, the server's clock), from its events, and what they don't tell of (spec §4, contract §3). */
export function screenOf(order: Order, now: number): Screen {
  if (order.status === "expired") return "expired";
  const events = order.orderEvents;
  const step = stepIndex(events);
  if (step === 4) return "refunded";
  if (step === 3) return "completed";
  if (displayStatus(events) === "REFUND_REQUESTED") return "refund";
  if (showsRateChangeWarning(events) || rateWarning(events) !== null) return "choice";
  if (step === 2) return order.attention === null ? "processing" : "attention";
  if (events.length === 0) return "preparing";
  // The service says so at the next poll; by then nobody is to send anything.
  if (order.unpaidUntil !== null && Date.parse(order.unpaidUntil) <= now) return "expired";
  return order.expiresAt !== null && Date.parse(order.expiresAt) <= now ? "rate_ended" : "send";
}

export type StepState = "done" | "now" | "next" | "warning";
type StepName =
  | "send"
  | "processing"
  | "choice"
  | "completed"
  | "refund_asked"
  | "refunded"
  | "card_paid"
  | "card_received"
  | "card_checked"
  | "card_sent"
  | "card_paid_out"
  | "card_returning";
export type StepView = { name: StepName; state: StepState };

const steps = (...views: [StepName, StepState][]): StepView[] => views.map(([name, state]) => ({ name, state }));

const STEPS: Record<Screen, StepView[]> = {
  preparing: steps(["send", "now"], ["processing", "next"], ["completed", "next"]),
  send: steps(["send", "now"], ["processing", "next"], ["completed", "next"]),
  rate_ended: steps(["send", "warning"], ["processing", "next"], ["completed", "next"]),
  expired: steps(["send", "warning"], ["processing", "next"], ["completed", "next"]),
  processing: steps(["send", "done"], ["processing", "now"], ["completed", "next"]),
  attention: steps(["send", "done"], ["processing", "warning"], ["completed", "next"]),
  choice: steps(["send", "done"], ["choice", "warning"], ["completed", "next"]),
  refund: steps(["send", "done"], ["refund_asked", "now"], ["refunded", "next"]),
  completed: steps(["send", "done"], ["processing", "done"], ["completed", "done"]),
  refunded: steps(["send", "done"], ["refund_asked", "done"], ["refunded", "done"]),
};

/** The three named steps over every order screen. */
export const stepsOf = (screen: Screen): readonly StepView[] => STEPS[screen];

/** spec §4, §9 */
export const POLL_MS = 5000;

/** Milliseconds to the next look at an order, 0 when there is none; an order not seen yet is still looked for. */
export const pollInterval = (order: Order | undefined, isAddressIncorrect: boolean): number =>
  keepsPolling(order ?? UNSEEN, isAddressIncorrect) ? POLL_MS : 0;

const UNSEEN = { status: "res", orderEvents: [] } as const;
