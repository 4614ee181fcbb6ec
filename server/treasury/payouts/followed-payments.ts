import { sql, type Transaction } from "kysely";
import type { FollowedPayments, HeldPayment } from "../../chains/follower/port.ts";
import type { Schema } from "../../db/schema.ts";
import { transactionTime } from "../../db/transaction.ts";
import { undoFoundSweeps } from "../sweeps/found-sweeps.ts";
import { isSendable, liveAttempts } from "./attempts.ts";
import { consolidate, takeOver } from "./consolidations.ts";
import type { ReviewReason } from "./failures.ts";
import { DEPOSIT_GONE } from "./limits/lost-deposits.ts";

/** Why a payment waits: another one took its handle while it was undone. */
const HANDLE_TAKEN = "undone_and_handle_taken" satisfies ReviewReason;

/** What the follower of a network does to its payments when the chain grows or is reorganised. */
export const followedPayments: FollowedPayments = {
  wake,
  stop,
  isStopped,
  endStop,
  hold,
  held,
  release,
  resumeUndone,
  consolidate,
  takeOver,
};

async function wake(transaction: Transaction<Schema>, network: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update payouts set next_attempt_at = now()
    where network = ${network} and state in ('intended', 'broadcast', 'mined', 'review') and (state in ('broadcast', 'mined')
      or (state = 'intended' and queued_at is not null) or (state = 'review' and purpose = 'consolidation')
      or (next_attempt_at is not null and (state = 'review' or exists (
        select 1 from payout_attempts a where a.payout_id = payouts.id and a.status <> 'dead'))))`.execute(transaction);
  return numAffectedRows > 0n;
}

async function stop(transaction: Transaction<Schema>, network: string, reason: string): Promise<void> {
  await sql`
    insert into kill_switches (action, scope, direction, reason, at, cause)
    values ('pay', ${network}, 'both', ${reason}, now(), 'follower')
    on conflict (action, scope, direction, cause) do nothing`.execute(transaction);
}

async function isStopped(transaction: Transaction<Schema>, network: string): Promise<boolean> {
  const row = await transaction
    .selectFrom("kill_switches")
    .select("reason")
    .where("action", "=", "pay")
    .where("scope", "=", network)
    .where("direction", "=", "both")
    .where("cause", "=", "follower")
    .executeTakeFirst();
  return row !== undefined;
}

async function endStop(transaction: Transaction<Schema>, network: string): Promise<void> {
  await transaction
    .deleteFrom("kill_switches")
    .where("action", "=", "pay")
    .where("scope", "=", network)
    .where("direction", "=", "both")
    .where("cause", "=", "follower")
    .execute();
}

async function hold(
  transaction: Transaction<Schema>,
  deposits: readonly { id: bigint; orderId: string | null }[],
): Promise<void> {
  const orders = deposits.flatMap(({ orderId }) => orderId ?? []);
  // Locked first: what another process signs meanwhile is seen by the statement that follows, and is not held.
  const { rows } = await sql<{ id: bigint }>`
    select id from payouts where state = 'intended' and mined_height is null and not pays_without_deposit
      and (order_id = any(${orders}::text[]) or deposit_id = any(${deposits.map(({ id }) => id)}::bigint[])
        or exchange_id in (select x.id from partner_exchanges x where x.order_id = any(${orders}::text[])))
    order by id for update`.execute(transaction);
  await sql`
    update payouts set state = 'review', review_reason = ${DEPOSIT_GONE}, review_at = now(), next_attempt_at = case when exists (
        select from payout_handles h where h.payout_id = payouts.id and h.released_at is null) then now() end
    where id = any(${rows.map(({ id }) => id)}::bigint[]) and not exists (
      select from payout_attempts a where a.payout_id = payouts.id and a.status <> 'dead')`.execute(transaction);
}

async function held(transaction: Transaction<Schema>): Promise<HeldPayment[]> {
  return transaction
    .selectFrom("payouts")
    .select([
      "id",
      "deposit_id as depositId",
      sql<string | null>`coalesce(order_id, (select x.order_id from partner_exchanges x where x.id = exchange_id))`.as(
        "orderId",
      ),
    ])
    .where("state", "=", "review")
    .where("review_reason", "=", DEPOSIT_GONE)
    .execute();
}

async function release(transaction: Transaction<Schema>, ids: readonly bigint[]): Promise<void> {
  await sql`
    update payouts set state = 'intended', review_reason = null, next_attempt_at = now()
    where id = any(${ids}::bigint[]) and state = 'review' and review_reason = ${DEPOSIT_GONE}`.execute(transaction);
}

async function resumeUndone(transaction: Transaction<Schema>, network: string, height: number): Promise<void> {
  await undoFoundSweeps(transaction, network, height, await transactionTime(transaction));
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
    const isRevived = await reviveHandle(transaction, id);
    // What was booked can't be sent again, whoever has its handle: it is waited for until an operator says that it is gone.
    if (isRevived || !(await liveAttempts(transaction, id)).some(isSendable)) continue;
    await transaction
      .updateTable("payouts")
      .set({ state: "review", review_reason: HANDLE_TAKEN, review_at: sql<Date>`now()` })
      .where("id", "=", id)
      .execute();
  }
}

/** Whether row `h` of a handle had the bytes of its payment. What was given back unsigned is never marked, and another payment may have used it since. */
const hadBytes = (h: string) =>
  sql`(${sql.ref(`${h}.used_at`)} is not null or not ${sql.ref(`${h}.data`)} ?| array['nonce', 'inputs'])`;

/**
 * Reserves the handle of an undone payment again; false where it has none, or another payment has it. It is the one that was reserved last, whatever
 * the clocks say of its release.
 */
async function reviveHandle(transaction: Transaction<Schema>, payoutId: bigint): Promise<boolean> {
  const { rows } = await sql`
    update payout_handles h set released_at = null, used_at = null
    where h.payout_id = ${payoutId} and ${hadBytes("h")} and h.released_at = (
        select last.released_at from payout_handles last where last.payout_id = ${payoutId} and ${hadBytes("last")}
        order by last.id desc limit 1)
      and not exists (select 1 from payout_handles other
        where other.network = h.network and other.key = h.key and other.id <> h.id
          and (other.released_at is null or other.used_at is not null))
    returning h.id`.execute(transaction);
  return rows.length > 0;
}

/** The transactions that the undone one has excluded, and those that paid for it: any of them may be mined now, or not. */
async function reviveReplaced(transaction: Transaction<Schema>, payoutId: bigint): Promise<void> {
  await sql`update payout_children set status = 'prepared' where payout_id = ${payoutId}`.execute(transaction);
  await sql`
    update payout_attempts set status = 'broadcast' where payout_id = ${payoutId} and status = 'dead' and n >= (
      select max(first.n) from payout_attempts first
      where first.payout_id = ${payoutId} and not first.excludes_replaced)`.execute(transaction);
}
