import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { TAIL_LENGTH } from "../port.ts";

/** Why a credited deposit needs review: a reorganisation deeper than its confirmations removed it. */
export const GONE = "gone_after_credit";
/** Why a payment waits: its deposit is gone, or another payment took its handle while it was undone. */
const DEPOSIT_GONE = "deposit_gone";
const HANDLE_TAKEN = "undone_and_handle_taken";

/**
 * Handles credited deposits that a deep reorganisation removed. Credits are not reversed, because what they paid for may have been sent:
 * the deposits are marked for review, unsigned payments wait for them, and payments on the network stop until an operator has checked.
 * Returns the deposits' transactions.
 */
export async function reviewLostDeposits(transaction: Transaction<Schema>, network: string): Promise<string[]> {
  const lost = await transaction
    .updateTable("deposits")
    .set({ review_reason: GONE })
    .where("network", "=", network)
    .where("block_height", "is", null)
    .where("credited_at", "is not", null)
    .where("review_reason", "is", null)
    .returning(["id", "tx_id", "order_id"])
    .execute();
  if (lost.length === 0) return [];
  await transaction
    .updateTable("payouts")
    .set({ state: "review", review_reason: DEPOSIT_GONE, review_at: sql<Date>`now()`, next_attempt_at: null })
    .where("state", "=", "intended")
    .where(
      sql<boolean>`(order_id = any(${lost.flatMap(({ order_id }) => order_id ?? [])}::text[])
        or deposit_id = any(${lost.map(({ id }) => id)}::bigint[]))`,
    )
    .where((is) =>
      is.not(is.exists(is.selectFrom("payout_attempts").select("n").whereRef("payout_id", "=", "payouts.id"))),
    )
    .execute();
  await stopPayments(transaction, network, `a reorganisation took away ${lost.length} credited deposits`);
  return lost.map(({ tx_id }) => tx_id);
}

/** Stops the payments of a network until its blocks are read on and every credited deposit is in them. */
export async function stopPayments(transaction: Transaction<Schema>, network: string, reason: string): Promise<void> {
  await sql`
    insert into kill_switches (action, scope, direction, reason, at, cause)
    values ('pay', ${network}, 'both', ${reason}, now(), 'follower')
    on conflict (action, scope, direction, cause) do nothing`.execute(transaction);
}

/**
 * Releases payments whose deposits are back with the confirmations that their orders require. True when every credited deposit of the
 * network is back, which ends the stop that its loss has caused.
 */
export async function releaseRecoveredDeposits(
  transaction: Transaction<Schema>,
  network: string,
  tip: number,
): Promise<boolean> {
  const found = await transaction
    .updateTable("deposits")
    .set({ review_reason: null })
    .where("network", "=", network)
    .where("block_height", "is not", null)
    .where("review_reason", "=", GONE)
    .returning("id")
    .execute();
  if (found.length > 0 || (await isAnyPaymentWaiting(transaction)))
    await sql`
      update payouts p set state = 'intended', review_reason = null, next_attempt_at = now()
      where p.state = 'review' and p.review_reason = ${DEPOSIT_GONE} and not exists (
        select 1 from deposits d join orders o on o.id = d.order_id
        where (d.order_id = p.order_id or d.id = p.deposit_id) and d.credited_at is not null and (
          d.block_height is null or d.network <> ${network} or ${isShallow(tip)}))`.execute(transaction);
  return endStop(transaction, network, tip);
}

/** Whether a deposit `d` of an order `o` has fewer confirmations than the order requires. */
const isShallow = (tip: number) =>
  sql<boolean>`${tip} - d.block_height + 1 < (o.snapshot -> 'terms' ->> 'requiredConfirmations')::int`;

/** Ends the stop that a follower has set, never an operator's or the reconciler's, once no credit is missing or too shallow. */
async function endStop(transaction: Transaction<Schema>, network: string, tip: number): Promise<boolean> {
  // A statement of its own: the deposits are searched only while there is a stop.
  const stop = await transaction
    .selectFrom("kill_switches")
    .select("reason")
    .where("action", "=", "pay")
    .where("scope", "=", network)
    .where("direction", "=", "both")
    .where("cause", "=", "follower")
    .executeTakeFirst();
  if (stop === undefined) return false;
  const { rows } = await sql`
    delete from kill_switches where action = 'pay' and scope = ${network} and direction = 'both' and cause = 'follower'
      and not exists (select 1 from deposits d
        where d.network = ${network} and d.credited_at is not null and d.block_height is null)
      and not exists (select 1 from deposits d
        left join partner_exchanges x on x.id = d.exchange_id
        join orders o on o.id = coalesce(d.order_id, x.order_id)
        where d.network = ${network} and d.credited_at is not null and d.block_height > ${tip - TAIL_LENGTH} and ${isShallow(tip)})
    returning scope`.execute(transaction);
  return rows.length > 0;
}

async function isAnyPaymentWaiting(transaction: Transaction<Schema>): Promise<boolean> {
  const waiting = await transaction
    .selectFrom("payouts")
    .select("id")
    .where("state", "=", "review")
    .where("review_reason", "=", DEPOSIT_GONE)
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}

/**
 * A final payment whose block was undone is tracked again, with its handle, so that the same bytes are sent again. Where another payment
 * has taken its handle, an operator decides: nobody can know which of the two the chain will include.
 */
export async function resumeUndonePayments(
  transaction: Transaction<Schema>,
  network: string,
  height: number,
): Promise<void> {
  const undone = await transaction
    .updateTable("payouts")
    .set({ state: "mined", next_attempt_at: sql<Date>`now()` })
    .where("network", "=", network)
    .where("state", "=", "final")
    .where("mined_height", ">", height)
    .returning("id")
    .execute();
  for (const { id } of undone.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    await reviveReplaced(transaction, id);
    const { rows } = await sql`
      update payout_handles h set released_at = null
      where h.payout_id = ${id} and h.released_at = (select max(released_at) from payout_handles where payout_id = ${id})
        and not exists (select 1 from payout_handles live
          where live.network = h.network and live.key = h.key and live.released_at is null)
      returning h.id`.execute(transaction);
    if (rows.length > 0) continue;
    await transaction
      .updateTable("payouts")
      .set({ state: "review", review_reason: HANDLE_TAKEN, review_at: sql<Date>`now()`, next_attempt_at: null })
      .where("id", "=", id)
      .execute();
  }
}

/** The transactions that the undone one has excluded, and those that paid for it: any of them may be mined now, or not. */
async function reviveReplaced(transaction: Transaction<Schema>, payoutId: bigint): Promise<void> {
  await sql`update payout_children set status = 'prepared' where payout_id = ${payoutId}`.execute(transaction);
  await sql`
    update payout_attempts set status = 'broadcast' where payout_id = ${payoutId} and status = 'dead' and n >= (
      select max(first.n) from payout_attempts first
      where first.payout_id = ${payoutId} and not first.excludes_replaced)`.execute(transaction);
}
