import { sql, type Transaction } from "kysely";
import { archiveLateDust, archiveOrders, OWN_ROWS } from "../../db/archived-orders.ts";
import type { Database } from "../../db/database.ts";
import { IS_IDLE_DUST, IS_UNSEEN_DUST } from "../../db/idle-dust.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";

/** Orders that are looked at in one transaction. */
const BATCH = 200;
/** As many as the public list of the last orders shows. */
const NEWEST_KEPT = 20;

type Cursor = { at: string; id: string };
export type ArchiveRun = { archived: number; kept: number };

/**
 * Archives the orders that ended before a moment and of which nothing is open any more, batch by batch, and dust that came before then to
 * orders in the archive; what a run that stopped has
 * left, the next one finds. `spendsDeposits` knows the networks whose wallet spends coins from deposit addresses directly: elsewhere a
 * deposit that was not swept keeps its order.
 */
export async function archiveFinishedOrders(
  database: Database,
  { before, spendsDeposits }: { before: Date; spendsDeposits: readonly string[] },
): Promise<ArchiveRun> {
  const run: ArchiveRun = { archived: 0, kept: 0 };
  let cursor: Cursor | null = { at: "-infinity", id: "" };
  while (cursor !== null) {
    const from: Cursor = cursor;
    const done = await inTransaction(database, async (transaction) => {
      const seen = await lockEnded(transaction, before, from);
      const ids = await archivable(
        transaction,
        seen.map(({ id }) => id),
        { before, spendsDeposits },
      );
      if (ids.length > 0) await archiveOrders(transaction, ids);
      return { last: seen.at(-1) ?? null, seen: seen.length, archived: ids.length };
    });
    run.archived += done.archived;
    run.kept += done.seen - done.archived;
    cursor = done.last;
  }
  while ((await inTransaction(database, (transaction) => archiveLateDust(transaction, before, BATCH))) > 0);
  return run;
}

/** Those that a worker handles at this moment are left to the next run. */
async function lockEnded(transaction: Transaction<Schema>, before: Date, { at, id }: Cursor): Promise<Cursor[]> {
  const { rows } = await sql<Cursor>`
    select created_at::text as at, id from orders
    where (created_at, id) > (${at}::timestamptz, ${id}) and created_at < ${before}
      and state in ('completed', 'refunded', 'expired')
    order by created_at, id limit ${BATCH} for update skip locked`.execute(transaction);
  return rows;
}

/**
 * A statement of its own after the lock: no deposit, payment or message can join a locked order. An order stays whose deposit waits for
 * something, whose coins are still at its address, whose address was not looked at since its last sweep, whose payment is not final or
 * holds the highest nonce of a hot wallet (law 18), or whose exchange at a partner is under way.
 */
async function archivable(
  transaction: Transaction<Schema>,
  ids: readonly string[],
  { before, spendsDeposits }: { before: Date; spendsDeposits: readonly string[] },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with newest as (select id from orders where completed_at is not null order by completed_at desc limit ${NEWEST_KEPT}),
    paid as (
      select o.id as of_order, p.id, p.state, p.purpose from orders o cross join lateral ${OWN_ROWS.payouts} p
      where o.id = any(${ids}::text[])
    ),
    came as (
      select o.id as of_order, d.* from orders o cross join lateral ${OWN_ROWS.deposits} d where o.id = any(${ids}::text[])
    )
    select o.id from orders o where o.id = any(${ids}::text[])
      and o.id not in (select id from newest)
      and (o.completed_at is null or o.completed_at < (select counted_until from completed_orders))
      and (select max(e.at) from order_events e where e.order_id = o.id) < ${before}
      and not exists (select 1 from partner_exchanges x where x.order_id = o.id
        and x.state not in ('finished', 'returned', 'abandoned'))
      and not exists (select 1 from sandbox_mails m where m.order_id = o.id)
      and not exists (select 1 from outbox m where m.order_id = o.id and m.state = 'pending')
      and not exists (select 1 from came d where d.of_order = o.id and not ${IS_IDLE_DUST} and (
        d.review_reason is not null or d.in_mempool
        or (d.credited_at is null and d.block_height is not null)
        or (d.credited_at is not null and d.sweep_id is null and d.network <> all(${spendsDeposits}::text[]))))
      and not exists (select 1 from came d join deposits other on other.sweep_id = d.sweep_id
        where d.of_order = o.id and not exists (select 1 from came own where own.of_order = o.id and own.id = other.id))
      and not exists (select 1 from came d
        join deposit_addresses a on a.network = d.network and a.address = d.address and a.memo is null
        where d.of_order = o.id and a.watched_from is not null and d.sweep_id > coalesce(a.settled_sweep, 0))
      and not exists (select 1 from came d where d.of_order = o.id and ${IS_UNSEEN_DUST})
      and not exists (select 1 from paid p where p.of_order = o.id and (p.state not in ('final', 'returned')
        or exists (select 1 from unknown_payments u where u.payout_id = p.id)
        or exists (select 1 from payout_handles h where h.payout_id = p.id and (h.released_at is null
          or (p.purpose <> 'sweep' and h.used_at is not null and h.data ? 'nonce' and not exists (
            select 1 from payout_handles later
            where later.network = h.network and split_part(later.key, ':', 1) = split_part(h.key, ':', 1) and later.data ? 'nonce'
              and later.used_at is not null
              and (later.data->>'nonce')::bigint > (h.data->>'nonce')::bigint))))))`.execute(transaction);
  return rows.map(({ id }) => id);
}
