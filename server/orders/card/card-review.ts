import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { type Operator, OperatorError, recordAction, storedReference } from "../../admin/index.ts";

/** How an order ended at its provider, where only an operator knows it. */
export type CardEnd = "done" | "refunded";

type Held = {
  id: bigint;
  reference: string;
  wait: string | null;
  state: string;
  end: string | null;
  proposedBy: string | null;
  confirmedBy: string | null;
};

/** Ends the review of a card order that is settled with its provider: the order stays as it is. */
export function closeCardReview(database: Database, operator: Operator, order: string): Promise<void> {
  return change(database, operator, { action: "card close", order }, async (transaction, held) => {
    if (held.wait === "card_failed")
      throw new OperatorError(
        `The provider says that it failed after its payment: say how it ended, done or refunded.`,
      );
    await decide(transaction, held, { end: "closed", by: operator.name });
    return { review: "closed" };
  });
}

/** Proposes how a card order ended that its provider reports as failed; it counts once another operator has confirmed it. */
export function proposeCardEnd(database: Database, operator: Operator, order: string, end: CardEnd): Promise<void> {
  return change(database, operator, { action: `card ${end}`, order }, async (transaction, held) => {
    if (held.wait !== "card_failed" || (held.state !== "confirming" && held.state !== "paying"))
      throw new OperatorError(`The order is ${held.state} and waits as ${held.wait}: "card close" ends its review.`);
    await decide(transaction, held, { end, by: operator.name });
    return { end: "proposed" };
  });
}

/** Confirms how a card order ended, as another operator than the one who proposed it. */
export function confirmCardEnd(database: Database, operator: Operator, order: string): Promise<void> {
  return change(database, operator, { action: "card confirm", order }, async (transaction, held) => {
    const { end, proposedBy } = held;
    if (proposedBy === null || end === null || end === "closed")
      throw new OperatorError(`Nobody proposed how it ended: "card done" or "card refunded" does.`);
    if (proposedBy.toLowerCase() === operator.name.toLowerCase())
      throw new OperatorError(`${proposedBy} proposed it: somebody else has to confirm it.`);
    await decide(transaction, held, { end, by: proposedBy, confirmedBy: operator.name });
    return { end, proposedBy };
  });
}

/** A worker goes on with it. */
async function decide(
  transaction: Transaction<Schema>,
  { id }: Held,
  { end, by, confirmedBy = null }: { end: string; by: string; confirmedBy?: string | null },
): Promise<void> {
  await sql`
    update card_orders set operator_end = ${end}, operator_end_by = ${by}, operator_end_confirmed_by = ${confirmedBy}, next_attempt_at = now()
    where id = ${id}`.execute(transaction);
}

async function change(
  database: Database,
  operator: Operator,
  { action, order }: { action: string; order: string },
  work: (transaction: Transaction<Schema>, held: Held) => Promise<object>,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const { rows } = await sql<Held>`
      select c.id, o.reference, o.waiting_for as wait, o.state, c.operator_end as end, c.operator_end_by as "proposedBy",
        c.operator_end_confirmed_by as "confirmedBy"
      from card_orders c join orders o on o.id = c.order_id
      where c.review_at is not null and (o.reference = ${storedReference(order)} or o.id = ${order}) for update of c`.execute(
      transaction,
    );
    const [held] = rows;
    if (held === undefined) throw new OperatorError(`No order ${order} by card is in review.`);
    if (held.end === "closed" || held.confirmedBy !== null)
      throw new OperatorError("It is decided already: a worker goes on with it.");
    const after = await work(transaction, held);
    const before = { state: held.state, reason: held.wait, end: held.end };
    // The security log writes it, and an order's id opens the order.
    await recordAction(transaction, operator, { action, subject: `card ${held.reference}`, before, after });
  });
}
