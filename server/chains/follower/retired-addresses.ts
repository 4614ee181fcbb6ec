import { sql, type Transaction } from "kysely";
import { isInProgress } from "../../db/orders-in-progress.ts";
import type { Database } from "../../db/database.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";
import type { Schema } from "../../db/schema.ts";
import { UNLISTED_OUTPUT } from "./watched-addresses.ts";

/** Addresses that one block looks at: as many as one call of a node answers. */
const PER_BLOCK = 300;
const MIN_SECONDS = 600;
/** Ten looks in the first week, then one a week. */
const MAX_SECONDS = 7 * 86_400;
/** More than the fee of one sweep is ever booked. */
const MAX_BOOKINGS = 20;

/** An address that no order waits for, whose balance is due to be looked at. */
export type RetiredAddress = {
  address: string;
  /** What it holds of the coin by the rows; null where that is not known yet. */
  expected: bigint | null;
  /** Its sweeps and deposits without what it held at first; null where the archive has them. */
  moved: bigint | null;
  lastSweep: bigint;
  lastDeposit: bigint;
};

type Row = {
  address: string;
  is_archived: boolean;
  is_unsettled: boolean;
  initial: bigint | null;
  settled: bigint | null;
  arrived: bigint;
  arrived_since: bigint;
  gas: bigint;
  swept: bigint;
  fees: bigint;
  last_sweep: bigint;
  last_deposit: bigint;
};

/**
 * The next addresses of a network whose look is due. Those that orders wait for are looked at with every block, and those with a sweep
 * under way come later: both are put off.
 */
export async function dueAddresses(
  database: Database,
  { network, coin }: { network: string; coin: string },
): Promise<RetiredAddress[]> {
  const { rows } = await sql<Row>`
    with due as (
      select address, order_id, exchange_id, initial_balance, settled_balance, settled_deposit from deposit_addresses
      where network = ${network} and memo is null and next_look_at <= now() order by next_look_at limit ${PER_BLOCK}
    )
    select due.address, due.initial_balance as initial, due.settled_balance as settled,
      o.id is null and x.id is null as is_archived,
      (came.sweep_ids is null and (o.unpaid_until is not null
        or ${isInProgress("o.state")})) is true
        or came.is_changed or moves.is_open or unknown.is_open as is_unsettled,
      came.arrived, came.arrived_since, came.last_deposit, moves.gas + unknown.gas as gas, moves.swept, moves.fees, coalesce((select max(id) from unnest(came.sweep_ids) id), 0) as last_sweep
    from due left join orders o on o.id = due.order_id left join partner_exchanges x on x.id = due.exchange_id
    cross join lateral (
      select coalesce(sum(d.amount) filter (where d.slug = ${coin} and d.block_height is not null), 0) as arrived,
        coalesce(sum(d.amount) filter (where d.slug = ${coin} and d.block_height is not null
          and d.id > coalesce(due.settled_deposit, 0)), 0) as arrived_since,
        coalesce(max(d.id) filter (where d.block_height is not null), 0) as last_deposit,
        coalesce(bool_or(d.review_reason = ${REVIEW_REASON.changedAfterCredit}), false) as is_changed,
        array_agg(distinct d.sweep_id) filter (where d.sweep_id is not null) as sweep_ids
      from (select * from deposits where order_id = due.order_id
        union all select * from deposits where exchange_id = due.exchange_id) d where d.network = ${network}
    ) came
    cross join lateral (
      select coalesce(bool_or(p.state not in ('final', 'returned')), false)
          or exists (select 1 from sweeps s where s.id = any(came.sweep_ids) and s.state <> 'done') as is_open,
        coalesce(sum(p.amount) filter (where p.purpose = 'gas'), 0) as gas,
        coalesce(sum(p.amount) filter (where p.purpose = 'sweep' and p.slug = ${coin}), 0) as swept,
        coalesce(sum(paid.fee) filter (where p.purpose = 'sweep'), 0) as fees
      from payouts p cross join lateral (
        select -sum(e.amount) as fee from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
          join ledger_accounts l on l.id = e.account_id and l.name = 'treasury'
        where (t.kind = 'sweep_fee' and t.source_id = any(array(
            select p.id || case n when 1 then '' else ' ' || n end from generate_series(1, ${MAX_BOOKINGS}) n)))
          or (t.kind = 'failed_attempt_fee' and t.source_id = any(array(
            select p.id || ' ' || a.tx_id from payout_attempts a where a.payout_id = p.id)))
      ) paid where p.sweep_id = any(came.sweep_ids)
    ) moves
    cross join lateral (
      select exists (select 1 from unknown_sweeps s where s.address = due.address and s.network = ${network}
          and s.payout_id is null and s.ended_at is null) as is_open,
        coalesce((select sum((u.pays->0->>'amount')::numeric) from unknown_payments u where u.pays->0->>'to' = due.address
          and u.network = ${network} and u.decision = 'to ourselves' and u.height is not null), 0) as gas
    ) unknown`.execute(database.kysely);
  const unsettled = rows.flatMap((row) => (row.is_unsettled ? [row.address] : []));
  if (unsettled.length > 0) await putOff(database, network, unsettled);
  return rows.flatMap((row) => (row.is_unsettled ? [] : [read(row)]));
}

function read({ address, initial, settled, ...row }: Row): RetiredAddress {
  const last = { lastSweep: row.last_sweep, lastDeposit: row.last_deposit };
  if (row.is_archived) {
    const before = settled ?? initial;
    // Since the last look, dust may have come and left its order in the archive.
    return { address, expected: before === null ? null : before + row.arrived_since, moved: null, ...last };
  }
  const moved = row.arrived + row.gas - row.swept - row.fees;
  return { address, expected: initial === null ? null : initial + moved, moved, ...last };
}

async function putOff(database: Database, network: string, addresses: readonly string[]): Promise<void> {
  await sql`
    update deposit_addresses set next_look_at = now() + make_interval(secs => ${MIN_SECONDS}), look_seconds = ${MIN_SECONDS}
    where network = ${network} and memo is null and address = any(${addresses}::text[])`.execute(database.kysely);
}

/** What a look has shown: `expected` is what the rows say by now, and `initial` what was there at first where that was not known. */
export type BalanceCheckResult = Pick<RetiredAddress, "address" | "lastSweep" | "lastDeposit"> & {
  expected: bigint;
  initial: bigint | null;
};

/** Stores looks that found nothing new, and when the next ones are due. */
export async function storeResults(
  database: Database,
  network: string,
  looks: readonly BalanceCheckResult[],
): Promise<void> {
  if (looks.length === 0) return;
  const addresses = looks.map(({ address }) => address);
  // Named twice: by the list alone an index finds them, however many others there are.
  await sql`
    update deposit_addresses a set settled_balance = seen.expected, settled_sweep = greatest(a.settled_sweep, seen.last_sweep),
      settled_deposit = greatest(a.settled_deposit, seen.last_deposit),
      initial_balance = coalesce(a.initial_balance, seen.initial),
      next_look_at = now() + make_interval(secs => a.look_seconds), look_seconds = least(2 * a.look_seconds, ${MAX_SECONDS})
    from unnest(${addresses}::text[], ${looks.map((one) => one.expected)}::numeric[],
      ${looks.map((one) => one.initial)}::numeric[], ${looks.map((one) => one.lastSweep)}::bigint[],
      ${looks.map((one) => one.lastDeposit)}::bigint[]) as seen (address, expected, initial, last_sweep, last_deposit)
    where a.network = ${network} and a.memo is null and a.address = any(${addresses}::text[]) and a.address = seen.address`.execute(
    database.kysely,
  );
}

/** How many unlisted deposits each of these addresses has in blocks, the archived ones included. */
export async function unlistedCounts(
  database: Database,
  network: string,
  addresses: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ address: string; count: number }>`
    select a.address, (
      (select count(*) from deposits d where (d.order_id = a.order_id or d.exchange_id = a.exchange_id)
        and d.network = ${network} and d.block_height is not null and d.output_index = ${UNLISTED_OUTPUT})
      + (select count(*) from archived_orders o, jsonb_array_elements(o.document->'deposits') d
        where (o.id = a.order_id or o.document->'partner_exchanges' @> jsonb_build_array(jsonb_build_object('id', a.exchange_id)))
          and d->>'address' = a.address and (d->>'output_index')::int = ${UNLISTED_OUTPUT}))::int as count
    from deposit_addresses a where a.network = ${network} and a.memo is null and a.address = any(${addresses}::text[])`.execute(
    database.kysely,
  );
  return new Map(rows.map(({ address, count }) => [address, count]));
}

/** Begins again, with short pauses, where unlisted deposits are above a height: nothing else finds them on the other branch. */
export async function recheckAbove(transaction: Transaction<Schema>, network: string, height: number): Promise<void> {
  await sql`
    update deposit_addresses set next_look_at = now(), look_seconds = 1
    where network = ${network} and memo is null and address = any(array(
      select address from deposits where network = ${network} and block_height > ${height}
        and output_index = ${UNLISTED_OUTPUT}))`.execute(transaction);
}
