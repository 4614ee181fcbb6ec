import { sql, type Transaction } from "kysely";
import { confirmationsAt, readTip } from "../../chains/follower/index.ts";
import { returnArchivedOrders } from "../../db/archived-orders.ts";
import type { Database } from "../../db/database.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, transactionTime } from "../../db/transaction.ts";
import { writeOffEntries } from "../ledger/entries.ts";
import { post } from "../ledger/ledger.ts";
import { type Operator, OperatorError, recordAction, storedReference } from "../../admin/index.ts";

/** Orders in these states still count a deposit. */
const OPEN_STATES = ["awaiting_deposit", "confirming", "awaiting_choice", "refund_requested"];

/** Lets an order count a deposit in review: its own, or that of this reference or id where it named none. */
export function creditDeposit(database: Database, operator: Operator, id: bigint, named: string | null): Promise<void> {
  return changeHeld(database, operator, { action: "deposit credit", id }, async (transaction, deposit) => {
    const target = named === null ? deposit.order_id : await findOrder(transaction, named);
    if (deposit.refund_requested_at !== null) throw new OperatorError("Its refund was requested: it is sent back.");
    if (deposit.review_reason === REVIEW_REASON.dust)
      throw new OperatorError("It is dust, which no order counts: write it off.");
    if (target === null) throw new OperatorError("No order has it: name one with --order REFERENCE.");
    if (deposit.order_id !== null && deposit.order_id !== target)
      throw new OperatorError(`It is the deposit of order ${deposit.order_id}.`);
    // One that was named may be in the archive: its state there says why it takes nothing.
    await returnArchivedOrders(transaction, [target]);
    const order = await transaction
      .selectFrom("orders")
      .select(["state", "from_slug"])
      .where("id", "=", target)
      .executeTakeFirst();
    if (order === undefined) throw new OperatorError(`There is no order ${target}.`);
    if (order.from_slug !== deposit.slug) throw new OperatorError(`Order ${target} takes no ${deposit.slug}.`);
    if (!OPEN_STATES.includes(order.state)) throw new OperatorError(`Order ${target} is ${order.state} already.`);
    await transaction
      .updateTable("deposits")
      .set({ order_id: target, review_reason: null })
      .where("id", "=", id)
      .execute();
    const due = { next_attempt_at: sql<Date>`now()` };
    await transaction.updateTable("orders").set(due).where("id", "=", target).execute();
    return { orderId: target, review: null };
  });
}

/** The id of an order, which may be in the archive, by its reference or id. Throws `OperatorError`. */
async function findOrder(transaction: Transaction<Schema>, named: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where reference = ${storedReference(named)} or id = ${named}
    union all select id from archived_orders where reference = ${storedReference(named)} or id = ${named} limit 1`.execute(
    transaction,
  );
  if (rows[0] === undefined) throw new OperatorError(`There is no order ${named}.`);
  return rows[0].id;
}

/** Asks the worker to send a deposit back, less the network fee. */
export function refundDeposit(
  database: Database,
  operator: Operator,
  id: bigint,
  to: { address: string; memo: string | null },
): Promise<void> {
  return changeHeld(database, operator, { action: "deposit refund", id }, async (transaction) => {
    await transaction
      .updateTable("deposits")
      .set({ refund_requested_at: sql<Date>`now()`, refund_address: to.address, refund_memo: to.memo })
      .where("id", "=", id)
      .execute();
    return { refund: "requested", ...to };
  });
}

/** Books a deposit that nobody is owed as ours; `confirmations` is what a credit of its instrument needs. */
export function writeOffDeposit(
  database: Database,
  operator: Operator,
  id: bigint,
  confirmationsOf: (slug: string) => number,
): Promise<void> {
  return changeHeld(database, operator, { action: "deposit write-off", id }, async (transaction, deposit) => {
    const { slug, amount, network, block_height: height } = deposit;
    if (deposit.refund_requested_at !== null) throw new OperatorError("Its refund was requested.");
    const depth = confirmationsAt(await readTip(transaction, network), height);
    if (depth < confirmationsOf(slug)) throw new OperatorError("It is not confirmed yet.");
    const at = await transactionTime(transaction);
    // Before the accounts, as everywhere; its order may have nothing else.
    const due = { next_attempt_at: sql<Date>`now()` };
    await transaction.updateTable("orders").set(due).where("id", "=", deposit.order_id).execute();
    await post(transaction, { kind: "write_off", sourceId: `${id}`, at, entries: writeOffEntries(slug, amount) });
    await transaction
      .updateTable("deposits")
      .set({ review_reason: null, credited_at: at, returned_at: at })
      .where("id", "=", id)
      .execute();
    return { writtenOff: amount };
  });
}

async function changeHeld(
  database: Database,
  operator: Operator,
  { action, id }: { action: string; id: bigint },
  change: (transaction: Transaction<Schema>, deposit: LockedDeposit) => Promise<object>,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const deposit = await lockDeposit(transaction, id);
    // What is done with it belongs to its order, which may be in the archive.
    if (deposit?.order_id != null) await returnArchivedOrders(transaction, [deposit.order_id]);
    if (deposit === undefined) throw new OperatorError(`There is no deposit ${id}.`);
    const reason = deposit.review_reason;
    if (reason === null) throw await notInReview(transaction, deposit);
    if (deposit.credited_at !== null)
      throw new OperatorError(`Deposit ${id} was credited: what is gone is booked by "freeze propose".`);
    if (deposit.block_height === null)
      throw new OperatorError(
        `Deposit ${id} is in no block now: once one has it again it waits for you, else it ends.`,
      );
    const after = await change(transaction, deposit);
    const before = { review: reason, orderId: deposit.order_id };
    await recordAction(transaction, operator, { action, subject: `deposit ${id}`, before, after });
  });
}

/** Where its order waits for its customer, the whole of it is ended. */
async function notInReview(transaction: Transaction<Schema>, { id, order_id }: LockedDeposit): Promise<OperatorError> {
  const { rows } = await sql<{ reference: string }>`
    select o.reference from undecided_orders u join orders o on o.id = u.order_id where u.order_id = ${order_id}`.execute(
    transaction,
  );
  const order = rows[0]?.reference;
  const leadsOn =
    order === undefined
      ? ""
      : ` Its customer has not chosen: "order refund ${order}" or "order write-off ${order}" ends its order.`;
  return new OperatorError(`Deposit ${id} is not in review.${leadsOn}`);
}

const lockDeposit = (transaction: Transaction<Schema>, id: bigint) =>
  transaction.selectFrom("deposits").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
type LockedDeposit = NonNullable<Awaited<ReturnType<typeof lockDeposit>>>;
