import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import {
  proposeOrderWriteOff,
  readRecipient,
  unknownPaymentOfOrder,
  unknownPayoutOf,
  type RecipientParts,
} from "../../treasury/index.ts";
import {
  type Operator,
  noSuchOrder,
  OperatorError,
  type OptionName,
  readOperator,
  readOptions,
  recordAction,
  storedReference,
} from "../../admin/index.ts";
import { isForCustomer } from "../decisions/decision.ts";
import { acceptPaidOffer } from "./accept-paid.ts";

export const UNDECIDED_HELP = `npm run admin -- order refund <reference or id> REASON --as NAME [--to <address> [--memo <memo>]]
npm run admin -- order accept <reference or id> REASON --as NAME [--transaction <transaction> [--amount <amount>]]
npm run admin -- order write-off <reference or id> REASON --as NAME`;

type Recipient = { address: string; memo: string | null };

/** Runs a command on an order whose customer has not chosen in time. Null for another command. Throws `OperatorError`. */
export async function runUndecidedCommand(parts: RecipientParts, given: readonly string[]): Promise<string | null> {
  if (given[0] !== "order") return null;
  const isRefund = given[1] === "refund";
  const taken: OptionName[] = isRefund ? ["to", "memo"] : given[1] === "accept" ? ["transaction", "amount"] : [];
  const { words, options } = readOptions(given.slice(1), ["as", ...taken]);
  const [command = "", named = "", ...why] = words;
  if (command !== "refund" && command !== "write-off" && command !== "accept")
    throw new OperatorError(`"order ${command}" is no command.\n${UNDECIDED_HELP}`);
  const operator = readOperator(options, why);
  if (command === "accept") {
    const { id } = await findOrder(parts.database, named);
    const paid = { txId: options.transaction ?? null, amount: options.amount ?? null };
    const { txId } = await acceptPaidOffer(parts.database, operator, { id, at: new Date(), ...paid });
    return `order ${named}: accept, by ${operator.name}. ${txId} has paid it, and a worker follows that.`;
  }
  if (!isRefund) {
    const id = await inTransaction(parts.database, async (transaction) => {
      const order = await lockUndecided(transaction, named);
      return proposeOrderWriteOff(transaction, operator, order);
    });
    return `proposal ${id}: somebody else confirms it with "freeze confirm ${id} REASON --as NAME".`;
  }
  const { network } = await findOrder(parts.database, named);
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
    await requireUnpaid(transaction, named);
    await holdRefunded(transaction, named);
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

/**
 * Holds an order before its time where a payment that no row knows may have refunded it, as after a backup: only a refund that waits for
 * that payment can be booked as it.
 */
async function holdRefunded(transaction: Transaction<Schema>, named: string): Promise<void> {
  const { id, network } = await findOrder({ kysely: transaction }, named);
  const order = await transaction
    .selectFrom("orders")
    .select(["waiting_for", "from_slug as slug"])
    .where("id", "=", id)
    .where((is) =>
      is.not(is.exists(is.selectFrom("undecided_orders").select("order_id").whereRef("order_id", "=", "orders.id"))),
    )
    .forUpdate()
    .executeTakeFirst();
  if (order === undefined || !isForCustomer(order.waiting_for)) return;
  if ((await unknownPaymentOfOrder(transaction, id)) === null) return;
  const { waiting_for: reason, slug } = order;
  const received = await receivedBy(transaction, id, slug);
  await transaction.insertInto("undecided_orders").values({ order_id: id, network, reason, slug, received }).execute();
  await transaction.updateTable("orders").set({ choice_until: null }).where("id", "=", id).execute();
}

/** Refuses to send back the deposits of an order that was or may have been paid out since the backup, as by a new rate that was accepted. */
async function requireUnpaid(transaction: Transaction<Schema>, named: string): Promise<void> {
  const { id, reference, waitsFor, offered } = await findOrder({ kysely: transaction }, named);
  if (!isForCustomer(waitsFor)) return;
  const paid = await unknownPayoutOf(transaction, {
    id,
    reference,
    offered: offered === null ? null : BigInt(offered),
  });
  if (paid === null) return;
  if (!paid.isProof)
    throw new OperatorError(
      `${paid.txId} may have paid order ${named}, or something else: decide it first ("unknown-payments" lists what it may be).`,
    );
  throw new OperatorError(
    `${paid.txId} has paid order ${named}, as far as the chain shows: its new rate was accepted. "order accept ${named}" books it.`,
  );
}

async function findOrder({ kysely }: Pick<Database, "kysely">, named: string) {
  const found = await kysely
    .selectFrom("orders")
    .select([
      "id",
      "reference",
      "waiting_for as waitsFor",
      sql<string>`snapshot#>>'{terms,from,networkTitle}'`.as("network"),
      sql<string | null>`snapshot#>>'{offer,amount}'`.as("offered"),
    ])
    .where((is) => is.or([is("reference", "=", storedReference(named)), is("id", "=", named)]))
    .executeTakeFirst();
  if (found === undefined) throw noSuchOrder(named);
  return found;
}

const waitsForNobody = (named: string): OperatorError =>
  new OperatorError(`Order ${named} waits for no operator: its customer has acted, or has time to.`);

/** What blocks and the mempool show of the deposits that count for an order. */
async function receivedBy(transaction: Transaction<Schema>, orderId: string, slug: string): Promise<bigint> {
  const { sum } = await transaction
    .selectFrom("deposits")
    .select(sql<bigint>`coalesce(sum(amount), 0)`.as("sum"))
    .where("order_id", "=", orderId)
    .where("slug", "=", slug)
    .where("returned_at", "is", null)
    .where("review_reason", "is", null)
    .where((is) => is.or([is("block_height", "is not", null), is("in_mempool", "=", true)]))
    .executeTakeFirstOrThrow();
  return sum;
}

/** Locks an order that is held. Throws `OperatorError` where its customer, or another operator, has acted. */
async function lockUndecided(transaction: Transaction<Schema>, named: string) {
  const { id } = await findOrder({ kysely: transaction }, named);
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
  if (held === undefined) throw waitsForNobody(named);
  if (order === undefined || !isForCustomer(order.waiting_for))
    throw new OperatorError(`The customer of order ${named} has acted: it goes on by itself.`);
  if (held.refund_requested_at !== null) throw new OperatorError("Its refund was requested: a worker goes on with it.");
  if ((await receivedBy(transaction, id, held.slug)) !== held.received)
    throw new OperatorError(`The customer of order ${named} has paid more: it goes on by itself.`);
  const { network, slug, reason, received } = held;
  const { reference, refundAddress } = order;
  return { orderId: id, reference, refundAddress, network, slug, reason, received };
}
