import { sql } from "kysely";
import { isInProgress } from "../../db/orders-in-progress.ts";
import type { Database } from "../../db/database.ts";
import { REVIEW_REASON } from "../../db/review-reasons.ts";

/** The output index of coins that no transaction of the block carries itself; their transaction is not known. */
export const UNLISTED_OUTPUT = -2;

/** An address that an order waits for, with what the rows say of it. */
export type WatchedAddress = {
  address: string;
  /** The height after which its balance was first looked at; what came before is none of the order's. */
  watchedFrom: number;
  /** What it held of the coin then without a deposit; null until a node has said it. */
  initial: bigint | null;
  /** By slug: the sum of its deposits in blocks. */
  held: ReadonlyMap<string, bigint>;
  /** How many of them came unlisted. */
  unlisted: number;
  /** Tokens that reported more than they moved. */
  distrusted: ReadonlySet<string>;
};

type Row = {
  address: string;
  watched_from: number | null;
  initial_balance: bigint | null;
  slug: string | null;
  held: bigint | null;
  unlisted: bigint;
  is_distrusted: boolean;
};

/**
 * The deposit addresses of a network's orders that are not settled. Once coins are moved away from an address its balance says nothing any
 * more, and coins of a deposit that changed after its credit belong to that: both are left out. `height` is that of the tail's newest
 * block, from which new addresses are watched. `only`: of these alone.
 */
export async function watchedAddresses(
  database: Database,
  { network, coin, height, only }: { network: string; coin: string; height: number; only?: readonly string[] },
): Promise<WatchedAddress[]> {
  const ofThese = only === undefined ? sql`true` : sql`a.address = any(${only}::text[])`;
  const { rows } = await sql<Row>`
    with active as (
      select id from orders where unpaid_until is not null
      union all
      select id from orders where ${isInProgress("state")} and unpaid_until is null
    )
    select a.address, a.watched_from, a.initial_balance, d.slug, sum(d.amount) as held,
      count(*) filter (where d.slug = ${coin} and d.output_index = ${UNLISTED_OUTPUT}) as unlisted,
      coalesce(bool_or(d.review_reason = ${REVIEW_REASON.lessThanReported}), false) as is_distrusted
    from active join deposit_addresses a on a.order_id = active.id and a.network = ${network} and a.memo is null
      left join deposits d on d.order_id = active.id and d.network = ${network} and d.block_height is not null
    where ${ofThese} and not exists (select 1 from deposits x where x.order_id = active.id
      and (x.sweep_id is not null or x.review_reason = ${REVIEW_REASON.changedAfterCredit}))
      and not exists (select 1 from unknown_sweeps s where s.address = a.address and s.network = a.network)
      and not exists (select 1 from unknown_payments u where u.pays->0->>'to' = a.address and u.network = a.network and u.decision = 'to ourselves')
    group by a.address, a.watched_from, a.initial_balance, d.slug`.execute(database.kysely);
  const fresh = [...new Set(rows.flatMap((row) => (row.watched_from === null ? [row.address] : [])))];
  if (fresh.length > 0) await watchFrom(database, network, fresh, height);
  return [...Map.groupBy(rows, (row) => row.address)].map(([address, some]) => ({
    address,
    watchedFrom: some[0]?.watched_from ?? height,
    initial: some[0]?.initial_balance ?? null,
    held: new Map(some.flatMap(({ slug, held }) => (slug === null || held === null ? [] : [[slug, held] as const]))),
    unlisted: some.reduce((count, row) => count + Number(row.unlisted), 0),
    distrusted: new Set(some.flatMap(({ slug, is_distrusted }) => (slug !== null && is_distrusted ? [slug] : []))),
  }));
}

/** Whether `watchedAddresses` has any. */
export async function isWatching(database: Database, network: string): Promise<boolean> {
  const { rows } = await sql<{ isWatching: boolean }>`
    select exists (
      select 1 from orders o join deposit_addresses a on a.order_id = o.id where o.unpaid_until is not null and a.network = ${network}
      union all
      select 1 from orders o join deposit_addresses a on a.order_id = o.id where a.network = ${network}
        and ${isInProgress("o.state")}) as "isWatching"`.execute(database.kysely);
  return rows[0]?.isWatching === true;
}

/** Watches addresses from a height on whose first balance is not known yet. */
export async function watchFrom(
  database: Database,
  network: string,
  addresses: readonly string[],
  height: number,
): Promise<void> {
  await sql`
    update deposit_addresses set watched_from = ${height}
    where network = ${network} and address = any(${addresses}::text[]) and initial_balance is null`.execute(
    database.kysely,
  );
}

/** Stores what addresses held at the height from which they are watched, less the deposits that they had then. */
export async function storeInitialBalances(
  database: Database,
  { network, coin }: { network: string; coin: string },
  balances: ReadonlyMap<string, bigint>,
): Promise<void> {
  await sql`
    update deposit_addresses a set initial_balance = found.balance - coalesce((
      select sum(d.amount) from deposits d where d.order_id = a.order_id and d.network = ${network} and d.slug = ${coin}
        and d.block_height <= a.watched_from), 0)
    from unnest(${[...balances.keys()]}::text[], ${[...balances.values()]}::numeric[]) as found (address, balance)
    where a.network = ${network} and a.address = found.address and a.initial_balance is null`.execute(database.kysely);
}

/** The hashes of the tail's blocks at some heights; those that it no longer has are missing. */
export async function tailHashes(
  database: Database,
  network: string,
  heights: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database.kysely
    .selectFrom("chain_tail")
    .select(["height", "hash"])
    .where("network", "=", network)
    .where(sql<boolean>`height = any(${heights}::int[])`)
    .execute();
  return new Map(rows.map(({ height, hash }) => [height, hash]));
}
