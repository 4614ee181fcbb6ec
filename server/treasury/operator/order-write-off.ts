import { sql, type Transaction } from "kysely";
import { confirmationsAt, readTip } from "../../chains/follower/index.ts";
import type { Schema } from "../../db/schema.ts";
import { type Operator, OperatorError, recordAction } from "../../admin/index.ts";
import { writeOffEntries } from "../ledger/entries.ts";
import { postAll } from "../ledger/ledger.ts";

/** An order whose customer has not chosen in time, with the sum that waits. */
export type UndecidedOrder = { orderId: string; reference: string; network: string; slug: string; received: bigint };

/**
 * Proposes to write off the deposits of an order whose customer has not chosen in time; the caller has locked it. Returns the proposal's
 * number, for the operator who confirms it. Throws `OperatorError`.
 */
export async function proposeOrderWriteOff(
  transaction: Transaction<Schema>,
  operator: Operator,
  { orderId, reference, network, slug, received }: UndecidedOrder,
): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select a.id from adjustments a join undecided_orders u on u.order_id = a.order_id and u.held_at <= a.proposed_at
    where a.order_id = ${orderId} and a.confirmed_at is null and a.withdrawn_at is null`.execute(transaction);
  if (rows[0] !== undefined)
    throw new OperatorError(`Proposal ${rows[0].id} is to write it off: somebody else confirms it.`);
  const adjustment = { network, slug, account: "deposits", amount: received } as const;
  const { id } = await transaction
    .insertInto("adjustments")
    .values({
      ...adjustment,
      reason: operator.reason,
      proposed_by: operator.name,
      is_unmeasured: true,
      order_id: orderId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const change = { action: "order write-off", subject: `order ${reference}`, before: {} };
  await recordAction(transaction, operator, { ...change, after: { adjustment: id, ...adjustment } });
  return id;
}

type Proposed = { order_id: string; slug: string; amount: bigint; proposed_at: Date };

/**
 * Books the deposits of an order as ours, once two operators agree, and lets a worker end the order. Returns its reference. Throws
 * `OperatorError` where its customer, or an operator, has acted since that was proposed.
 */
export async function writeOffOrder(
  transaction: Transaction<Schema>,
  { order_id: orderId, slug, amount, proposed_at: proposedAt }: Proposed,
  at: Date,
): Promise<string> {
  const { rows: orders } = await sql<{ reference: string; wait: string; network: string; confirmations: number }>`
    select reference, waiting_for as wait, snapshot->'terms'->'from'->>'networkTitle' as network,
      (snapshot->'terms'->>'requiredConfirmations')::int as confirmations
    from orders where id = ${orderId} for update`.execute(transaction);
  const order = orders[0];
  // Read again after the lock: changes that were committed before it must count.
  const held = await transaction
    .selectFrom("undecided_orders")
    .select(["reason", "held_at", "refund_requested_at"])
    .where("order_id", "=", orderId)
    .forUpdate()
    .executeTakeFirst();
  if (order === undefined || held?.reason !== order.wait) throw hasGoneOn();
  if (held.refund_requested_at !== null || held.held_at > proposedAt) throw hasGoneOn();
  const deposits = await transaction
    .selectFrom("deposits")
    .select(["id", "amount", "block_height"])
    .where("order_id", "=", orderId)
    .where("slug", "=", slug)
    .where("returned_at", "is", null)
    .where("review_reason", "is", null)
    .where((is) => is.or([is("block_height", "is not", null), is("in_mempool", "=", true)]))
    .forUpdate()
    .execute();
  const tip = await readTip(transaction, order.network);
  const isDeep = deposits.every(({ block_height: height }) => confirmationsAt(tip, height) >= order.confirmations);
  if (!isDeep || deposits.reduce((sum, deposit) => sum + deposit.amount, 0n) !== amount) throw hasGoneOn();
  const ids = deposits.map(({ id }) => id);
  const { numAffectedRows } = await sql`
    update deposits set credited_at = ${at}, returned_at = ${at}
    where id = any(${ids}::bigint[]) and credited_at is null`.execute(transaction);
  if (numAffectedRows !== BigInt(ids.length)) throw hasGoneOn();
  await sql`update orders set next_attempt_at = now() where id = ${orderId}`.execute(transaction);
  // Last: the accounts are locked from here to the commit.
  const transfers = deposits.map((deposit) => {
    const entries = writeOffEntries(slug, deposit.amount);
    return { kind: "write_off", sourceId: `${deposit.id}`, at, entries };
  });
  await postAll(transaction, transfers);
  return order.reference;
}

const hasGoneOn = (): OperatorError =>
  new OperatorError("Its customer, or another operator, has acted since that was proposed: nothing is written off.");
