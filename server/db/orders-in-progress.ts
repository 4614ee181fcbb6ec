import { sql, type RawBuilder } from "kysely";

/**
 * The states of an order that was paid for and is not over.
 *
 * @internal Exported for its tests.
 */
export const IN_PROGRESS = [
  "confirming",
  "awaiting_choice",
  "paying",
  "rerouting",
  "refund_requested",
  "refunding",
] as const;

const STATES = sql.join(IN_PROGRESS.map((state) => sql.lit(state)));

/**
 * Whether an order was paid for and is not over; `state` names the column. Asked by the states that it may be in, because of `state not in
 * (…)` PostgreSQL assumes a quarter of all orders as soon as one under way is among the rows that it takes a sample of.
 */
export const isInProgress = (state: string): RawBuilder<boolean> => sql<boolean>`${sql.ref(state)} in (${STATES})`;
