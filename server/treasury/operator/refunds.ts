import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { type Operator, OperatorError, recordAction, storedReference } from "../../admin/index.ts";

type Recipient = { address: string; memo: string | null };

/** The stopped refund of an order, by the order's reference or id. Throws `OperatorError`. */
export async function findStoppedRefund(
  { kysely }: Database,
  order: string,
): Promise<{ orderId: string; reference: string; network: string }> {
  const found = await kysely
    .selectFrom("stopped_refunds")
    .innerJoin("orders", "orders.id", "stopped_refunds.order_id")
    .select(["orders.id as orderId", "orders.reference", "stopped_refunds.network"])
    .where((is) => is.or([is("orders.reference", "=", storedReference(order)), is("orders.id", "=", order)]))
    .executeTakeFirst();
  if (found === undefined) throw new OperatorError(`No refund of order ${order} is stopped.`);
  return found;
}

/** Lets a stopped refund go on: to the address that was asked for, or to `to`. A worker takes the decision. */
export async function releaseStoppedRefund(
  database: Database,
  operator: Operator,
  { orderId, reference }: { orderId: string; reference: string },
  to: Recipient | null,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const now = sql<Date>`now()`;
    const after = { to_address: to?.address ?? null, to_memo: to?.memo ?? null };
    const { numUpdatedRows } = await transaction
      .updateTable("stopped_refunds")
      .set({ released_at: now, ...after })
      .where("order_id", "=", orderId)
      .where("released_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new OperatorError("It was released already: a worker goes on with it.");
    await transaction.updateTable("orders").set({ next_attempt_at: now }).where("id", "=", orderId).execute();
    // The security log writes it, and an order's id opens the order.
    const subject = `refund ${reference}`;
    const action = { action: "refund release", subject, before: {}, after };
    await recordAction(transaction, operator, action);
  });
}
