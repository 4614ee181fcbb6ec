import { type Operator, OperatorError, recordAction } from "../../admin/index.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { unknownPayoutOf } from "../../treasury/index.ts";
import { decide } from "../decisions/decide.ts";
import { evolve } from "../decisions/evolve.ts";
import type { OrderState } from "../decisions/order.ts";
import { countedOf, sumOf } from "../processing/session.ts";
import { appendEvents, depositsOf, lockOrder, scheduleOrder } from "../processing/store.ts";

/**
 * Accepts the offer of an order in place of its customer, who did so after the backup that was restored: a payment that no row knows has
 * paid it out, and can be booked once the order has a payment. Throws `OperatorError` where no such payment says so.
 */
export async function acceptPaidOffer(
  database: Database,
  operator: Operator,
  { id, at }: { id: string; at: Date },
): Promise<{ txId: string }> {
  return inTransaction(database, async (transaction) => {
    const order = await lockOrder(transaction, id);
    if (order === null) throw new OperatorError(`There is no order ${id}.`);
    const txId = await unknownPayoutOf(transaction, id);
    if (txId === null)
      throw new OperatorError(
        `No undecided payment pays the destination of order ${order.reference} in the coin that it pays out: only its customer accepts its new rate.`,
      );
    const decided = await transaction
      .selectFrom("undecided_orders")
      .select("order_id")
      .where("order_id", "=", id)
      .where("refund_requested_at", "is not", null)
      .executeTakeFirst();
    if (decided !== undefined) throw new OperatorError("Its refund was requested: a worker goes on with it.");
    const deposits = countedOf(order.state, await depositsOf(transaction, id));
    const isMined = deposits.length > 0 && deposits.every(({ height }) => height !== null);
    const received = sumOf(deposits);
    const { events } = isMined ? decide({ kind: "accept_paid_offer", received, at }, order.state) : { events: [] };
    if (events.length === 0)
      throw new OperatorError(
        `Order ${order.reference} is ${order.state.kind} and has no new rate for the deposits that blocks show: "unknown-payments" lists the payments that ${txId} may be.`,
      );
    const state = events.reduce<OrderState>(evolve, order.state);
    const next = { state, wait: null, exposure: null, unpaidUntil: order.unpaidUntil };
    await appendEvents(transaction, order, events, next);
    await transaction.updateTable("orders").set({ choice_until: null }).where("id", "=", id).execute();
    await transaction.deleteFrom("undecided_orders").where("order_id", "=", id).execute();
    await scheduleOrder(transaction, id, 0);
    await recordAction(transaction, operator, {
      action: "order accept",
      // The security log writes it, and an order's id opens the order.
      subject: `order ${order.reference}`,
      before: { waitsFor: order.wait },
      after: { txId },
    });
    return { txId };
  });
}
