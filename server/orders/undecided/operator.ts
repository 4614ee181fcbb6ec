import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { proposeOrderWriteOff, readRecipient, type RecipientParts } from "../../treasury/index.ts";
import {
  type Operator,
  OperatorError,
  readOperator,
  readOptions,
  recordAction,
  storedReference,
} from "../../admin/index.ts";
import { isForCustomer } from "../decisions/decision.ts";

export const UNDECIDED_HELP = `npm run admin -- order refund <reference or id> REASON --as NAME [--to <address> [--memo <memo>]]
npm run admin -- order write-off <reference or id> REASON --as NAME`;

type Recipient = { address: string; memo: string | null };

/** Runs a command on an order whose customer has not chosen in time. Null for another command. Throws `OperatorError`. */
export async function runUndecidedCommand(parts: RecipientParts, given: readonly string[]): Promise<string | null> {
  if (given[0] !== "order") return null;
  const isRefund = given[1] === "refund";
  const { words, options } = readOptions(given.slice(1), isRefund ? ["as", "to", "memo"] : ["as"]);
  const [command = "", named = "", ...why] = words;
  if (command !== "refund" && command !== "write-off")
    throw new OperatorError(`"order ${command}" is no command.\n${UNDECIDED_HELP}`);
  const operator = readOperator(options, why);
  if (!isRefund) {
    const id = await inTransaction(parts.database, async (transaction) => {
      const order = await lockUndecided(transaction, named);
      return proposeOrderWriteOff(transaction, operator, order);
    });
    return `proposal ${id}: somebody else confirms it with "freeze confirm ${id} REASON --as NAME".`;
  }
  const { network } = await findUndecided(parts.database, named);
  const to = options.to === undefined ? null : await readRecipient(parts, network, options);
  await refundUndecidedOrder(parts.database, operator, named, to);
  return `order ${named}: refund, by ${operator.name}. A worker goes on with it.`;
}

/** Asks the worker to send the deposits of an order back, less the network fee, as the refund of the order. */
async function refundUndecidedOrder(
  database: Database,
  operator: Operator,
  named: string,
  to: Recipient | null,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const { orderId, reference, reason, refundAddress } = await lockUndecided(transaction, named);
    if (reason === "refund_too_small")
      throw new OperatorError("Its refund was asked for, and costs more than there is: write it off.");
    if (to === null && refundAddress === null)
      throw new OperatorError("The order has no refund address: name one with --to ADDRESS.");
    if (to !== null && refundAddress !== null)
      throw new OperatorError("The order has a refund address, which is never replaced: leave --to out.");
    const after = { to_address: to?.address ?? null, to_memo: to?.memo ?? null };
    await transaction
      .updateTable("undecided_orders")
      .set({ refund_requested_at: sql<Date>`now()`, last_error: null, ...after })
      .where("order_id", "=", orderId)
      .execute();
    const due = { next_attempt_at: sql<Date>`now()` };
    await transaction.updateTable("orders").set(due).where("id", "=", orderId).execute();
    // The security log writes it, and an order's id opens the order.
    const change = { action: "order refund", subject: `order ${reference}`, before: { waitsFor: reason }, after };
    await recordAction(transaction, operator, change);
  });
}

/** Throws `OperatorError` where the order is held for no operator. */
async function findUndecided({ kysely }: Pick<Database, "kysely">, named: string) {
  const found = await kysely
    .selectFrom("undecided_orders")
    .innerJoin("orders", "orders.id", "undecided_orders.order_id")
    .select(["orders.id", "undecided_orders.network"])
    .where((is) => is.or([is("orders.reference", "=", storedReference(named)), is("orders.id", "=", named)]))
    .executeTakeFirst();
  if (found === undefined)
    throw new OperatorError(`Order ${named} waits for no operator: its customer has acted, or has time to.`);
  return found;
}

/** Locks an order that is held. Throws `OperatorError` where its customer, or another operator, has acted. */
async function lockUndecided(transaction: Transaction<Schema>, named: string) {
  const { id } = await findUndecided({ kysely: transaction }, named);
  // The order first, as everywhere.
  const order = await transaction
    .selectFrom("orders")
    .select([
      "reference",
      "waiting_for",
      sql<string | null>`snapshot->'terms'->'refund'->>'address'`.as("refundAddress"),
    ])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  const held = await transaction
    .selectFrom("undecided_orders")
    .select(["network", "slug", "reason", "received", "refund_requested_at"])
    .where("order_id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (order === undefined || held === undefined || !isForCustomer(order.waiting_for))
    throw new OperatorError(`The customer of order ${named} has acted: it goes on by itself.`);
  if (held.refund_requested_at !== null) throw new OperatorError("Its refund was requested: a worker goes on with it.");
  const { sum } = await transaction
    .selectFrom("deposits")
    .select(sql<bigint>`coalesce(sum(amount), 0)`.as("sum"))
    .where("order_id", "=", id)
    .where("slug", "=", held.slug)
    .where("returned_at", "is", null)
    .where("review_reason", "is", null)
    .where((is) => is.or([is("block_height", "is not", null), is("in_mempool", "=", true)]))
    .executeTakeFirstOrThrow();
  if (sum !== held.received)
    throw new OperatorError(`The customer of order ${named} has paid more: it goes on by itself.`);
  const { network, slug, reason, received } = held;
  const { reference, refundAddress } = order;
  return { orderId: id, reference, refundAddress, network, slug, reason, received };
}
