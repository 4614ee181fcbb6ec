import { sql, type Transaction } from "kysely";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import type { Schema } from "../../db/schema.ts";
import { TAIL_LENGTH } from "../port.ts";
import type { FollowedPayments, HeldPayment } from "./port.ts";

/** The order that a deposit has paid for, a partner's return included; none where it came beside that and was sent back, or written off. */
const PAID_ORDER = sql<string | null>`case when returned_at is null then
  coalesce(order_id, (select x.order_id from partner_exchanges x where x.id = exchange_id)) end`;

/**
 * Handles credited deposits that a deep reorganisation removed. Credits are not reversed, because what they paid for may have been sent:
 * the deposits are marked for review, unsigned payments wait for them, and payments on the network stop until an operator has checked.
 * Returns the deposits' transactions.
 */
export async function reviewLostDeposits(
  transaction: Transaction<Schema>,
  network: string,
  payments: FollowedPayments,
): Promise<string[]> {
  const lost = await transaction
    .updateTable("deposits")
    .set({ review_reason: REVIEW_REASON.goneAfterCredit })
    .where("network", "=", network)
    .where("block_height", "is", null)
    .where("credited_at", "is not", null)
    .where("review_reason", "is", null)
    .returning(["id", "tx_id as txId", PAID_ORDER.as("orderId")])
    .execute();
  if (lost.length === 0) return [];
  await payments.hold(transaction, lost);
  await payments.stop(transaction, network, `a reorganisation took away ${lost.length} credited deposits`);
  return lost.map(({ txId }) => txId);
}

/**
 * Releases payments whose deposits are back with the confirmations that their orders require. True when every credited deposit of the
 * network is back, which ends the stop that its loss has caused.
 */
export async function releaseRecoveredDeposits(
  transaction: Transaction<Schema>,
  network: string,
  tip: number,
  payments: FollowedPayments,
): Promise<boolean> {
  await transaction
    .updateTable("deposits")
    .set({ review_reason: null })
    .where("network", "=", network)
    .where("block_height", "is not", null)
    .where("review_reason", "=", REVIEW_REASON.goneAfterCredit)
    .execute();
  const held = await payments.held(transaction);
  if (held.length > 0) await payments.release(transaction, await fundedAgain(transaction, network, tip, held));
  // A statement of its own: the deposits are searched only while there is a stop.
  if (!(await payments.isStopped(transaction, network))) return false;
  if (await isCreditMissing(transaction, network, tip)) return false;
  await payments.endStop(transaction, network);
  return true;
}

/** Those of the payments whose deposits are all back. */
async function fundedAgain(
  transaction: Transaction<Schema>,
  network: string,
  tip: number,
  held: readonly HeldPayment[],
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select p.id from unnest(${held.map(({ id }) => id)}::bigint[], ${held.map(({ orderId }) => orderId)}::text[],
      ${held.map(({ depositId }) => depositId)}::bigint[]) as p (id, order_id, deposit_id)
    where not exists (
      select 1 from deposits d join orders o on o.id = d.order_id
      where ((d.order_id = p.order_id and d.returned_at is null) or d.id = p.deposit_id) and d.credited_at is not null and (
        d.block_height is null or d.network <> ${network} or ${isShallow(tip)}))
    and not exists (
      select 1 from partner_exchanges x join deposits d on d.exchange_id = x.id join orders o on o.id = x.order_id
      where x.order_id = p.order_id and d.credited_at is not null and (
        d.block_height is null or d.network <> ${network} or ${isShallow(tip)}))`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Whether a deposit `d` of an order `o` has fewer confirmations than the order requires. */
const isShallow = (tip: number) =>
  sql<boolean>`${tip} - d.block_height + 1 < (o.snapshot -> 'terms' ->> 'requiredConfirmations')::int`;

/** Whether a credited deposit is in no block, or in one that too few others follow. */
async function isCreditMissing(transaction: Transaction<Schema>, network: string, tip: number): Promise<boolean> {
  const { rows } = await sql<{ is_missing: boolean }>`
    select exists (select 1 from deposits d
        where d.network = ${network} and d.credited_at is not null and d.block_height is null)
      or exists (select 1 from deposits d
        left join partner_exchanges x on x.id = d.exchange_id
        join orders o on o.id = coalesce(d.order_id, x.order_id)
        where d.network = ${network} and d.credited_at is not null and d.block_height > ${tip - TAIL_LENGTH}
          and ${isShallow(tip)}) as is_missing`.execute(transaction);
  return rows[0]?.is_missing !== false;
}
