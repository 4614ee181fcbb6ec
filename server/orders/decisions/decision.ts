import type { CardWait } from "./decide-card.ts";
import type { DomainEvent } from "./order.ts";

/** Why an order that has its deposit doesn't go on by itself (contract §3). */
export type Wait =
  | "under_minimum"
  | "over_maximum"
  | "customer_choice"
  | "refund_too_small"
  | "refund_delayed"
  | "refund_stopped"
  | "no_provider"
  | CardWait;

/** What an order waits for that its customer alone can do: choose, top up or ask for a refund. */
export const CUSTOMER_WAITS = [
  "under_minimum",
  "over_maximum",
  "customer_choice",
  "refund_too_small",
] as const satisfies readonly Wait[];

/** Whether a stored wait ends only by the customer. */
export const isForCustomer = (wait: string | null): wait is (typeof CUSTOMER_WAITS)[number] =>
  CUSTOMER_WAITS.some((one) => one === wait);

/** What a command does: the events to append, or what the order waits for, or nothing. */
export type Decision = { events: DomainEvent[]; wait: Wait | null };

/** The command changes nothing. */
export const noDecision: Decision = { events: [], wait: null };
/** The order stays as it is until what it waits for comes. */
export const waitFor = (wait: Wait): Decision => ({ events: [], wait });
/** The events to append, in this order; the order waits for nothing any more. */
export const decided = (...events: DomainEvent[]): Decision => ({ events, wait: null });
