import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import { readRecipient, type RecipientParts } from "../../treasury/index.ts";
import {
  type Operator,
  OperatorError,
  noSuchOrder,
  readOperator,
  readOptions,
  recordAction,
  storedReference,
} from "../../admin/index.ts";

type Recipient = { address: string; memo: string | null };

export const REFUND_HELP =
  "npm run admin -- refund release <reference or id of an order> REASON --as NAME [--to <address> [--memo <memo>]]";

/** Runs a command on a refund that its owner has stopped. Null for another command. Throws `OperatorError`. */
export async function runRefundCommand(parts: RecipientParts, given: readonly string[]): Promise<string | null> {
  if (given[0] !== "refund") return null;
  const { words, options } = readOptions(given.slice(1), ["as", "to", "memo"]);
  const [command = "", order = "", ...why] = words;
  const operator = readOperator(options, why);
  if (command !== "release") throw new OperatorError(`"refund ${command}" is no command.\n${REFUND_HELP}`);
  const refund = await findStoppedRefund(parts.database, order);
  const to = options.to === undefined ? null : await readRecipient(parts, refund.network, options);
  await releaseStoppedRefund(parts.database, operator, refund, to);
  return `refund of order ${order}: release, by ${operator.name}. A worker goes on with it.`;
}

/** The stopped refund of an order, by the order's reference or id. Throws `OperatorError`. */
async function findStoppedRefund(
  { kysely }: Database,
  order: string,
): Promise<{ orderId: string; reference: string; network: string }> {
  const found = await kysely
    .selectFrom("orders")
    .leftJoin("stopped_refunds", "stopped_refunds.order_id", "orders.id")
    .select(["orders.id as orderId", "orders.reference", "stopped_refunds.network"])
    .where((is) => is.or([is("orders.reference", "=", storedReference(order)), is("orders.id", "=", order)]))
    .executeTakeFirst();
  if (found === undefined) throw noSuchOrder(order);
  const { network, ...known } = found;
  if (network === null) throw new OperatorError(`No refund of order ${order} is stopped.`);
  return { ...known, network };
}

/**
 * Lets a stopped refund go on: to the address that was asked for, or to `to`. A worker takes the decision.
 * @internal Exported for its test.
 */
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
