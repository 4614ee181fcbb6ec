import { sql, type Kysely, type RawBuilder, type Transaction } from "kysely";
import { IS_IDLE_DUST, IS_UNSEEN_DUST } from "./idle-dust.ts";
import type { Schema } from "./schema.ts";

// Each by an index: an "or" over them would read a whole table for each order.
const DEPOSITS = sql`(select d.* from deposits d where d.order_id = o.id
  union all select d.* from partner_exchanges x join deposits d on d.exchange_id = x.id where x.order_id = o.id)`;
const PAYOUTS = sql`(select p.* from payouts p where p.order_id = o.id
  union all select p.* from partner_exchanges x join payouts p on p.exchange_id = x.id where x.order_id = o.id
  union all select p.* from ${DEPOSITS} d join payouts p on p.deposit_id = d.id
  union all select p.* from (select distinct sweep_id from ${DEPOSITS} d) d join payouts p on p.sweep_id = d.sweep_id)`;
const SWEEPS = sql`(select distinct d.sweep_id as id from ${DEPOSITS} d where d.sweep_id is not null) own`;

/** Deposits and payments of an order `o`, those of its exchanges at partners included, as rows in brackets. */
export const OWN_ROWS = { deposits: DEPOSITS, payouts: PAYOUTS } as const;

/** The rows `t` of an order `o` in each table. What is referred to comes first: a return inserts in this order. */
const ROWS = {
  orders: sql`(select o.*) t`,
  order_events: sql`order_events t where t.order_id = o.id`,
  partner_exchanges: sql`partner_exchanges t where t.order_id = o.id`,
  sweeps: sql`${SWEEPS} join sweeps t on t.id = own.id`,
  deposits: sql`${DEPOSITS} t`,
  payouts: sql`${PAYOUTS} t`,
  payout_handles: sql`${PAYOUTS} own join payout_handles t on t.payout_id = own.id`,
  payout_attempts: sql`${PAYOUTS} own join payout_attempts t on t.payout_id = own.id`,
  payout_cancellations: sql`${PAYOUTS} own join payout_cancellations t on t.payout_id = own.id`,
  payout_children: sql`${PAYOUTS} own join payout_children t on t.payout_id = own.id`,
  outbox: sql`outbox t where t.order_id = o.id`,
  push_subscriptions: sql`push_subscriptions t where t.order_id = o.id`,
} as const;
type ArchivedTable = keyof typeof ROWS;
const TABLES = Object.keys(ROWS) as ArchivedTable[];

/** Moves orders with all their rows into the archive; the caller holds their locks and knows that nothing of them is open. */
export async function archiveOrders(transaction: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  const parts = TABLES.map(
    (table) => sql`${sql.lit(table)}, (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from ${ROWS[table]})`,
  );
  await sql`
    insert into archived_orders (id, reference, user_id, created_at, state, document)
    select o.id, o.reference, o.user_id, o.created_at, o.state, jsonb_build_object(${sql.join(parts)}) from orders o where o.id = any(${ids}::text[])`.execute(
    transaction,
  );
  // By what was stored, so that nothing is removed that is not in a document; as one array, which an index takes.
  const stored = (table: ArchivedTable) => sql`array(
    select (r->>'id')::bigint from archived_orders a, jsonb_array_elements(a.document->${sql.lit(table)}) r
    where a.id = any(${ids}::text[]))`;
  const removed = (table: ArchivedTable): RawBuilder<boolean> => {
    if (table === "orders") return sql`id = any(${ids}::text[])`;
    if (table === "order_events") return sql`order_id = any(${ids}::text[])`;
    return table.startsWith("payout_") ? sql`payout_id = any(${stored("payouts")})` : sql`id = any(${stored(table)})`;
  };
  for (const table of TABLES.toReversed())
    await sql`delete from ${sql.table(table)} where ${removed(table)}`.execute(transaction);
}

/** Moves dust that came to archived orders into their documents; returns how many deposits that were. */
export async function archiveLateDust(transaction: Transaction<Schema>, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with late as (
      select d.id, d.order_id, to_jsonb(d) as row from deposits d
      join archived_orders a on a.id = d.order_id
      where d.review_reason is not null and d.detected_at < ${before} and ${IS_IDLE_DUST} and not ${IS_UNSEEN_DUST}
      order by d.id limit ${limit} for update of d, a skip locked
    ), kept as (
      update archived_orders a
      set document = jsonb_set(a.document, '{deposits}', (a.document -> 'deposits') || added.rows)
      from (select order_id, jsonb_agg(row order by id) as rows from late group by order_id) added
      where a.id = added.order_id returning a.id
    )
    delete from deposits where id = any(array(select late.id from late join kept on kept.id = late.order_id))`.execute(
    transaction,
  );
  return Number(numAffectedRows ?? 0n);
}

/**
 * Brings archived orders back as they were, because something arrived for them; others stay as they are. The orders are locked against
 * archiving until the transaction ends.
 */
export async function returnArchivedOrders(transaction: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await lockAgainstArchiving(transaction, ids);
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) await putBack(transaction, missing);
}

/** As `returnArchivedOrders`, for the orders of these exchanges at partners. */
export async function returnArchivedExchanges(
  transaction: Transaction<Schema>,
  exchangeIds: readonly bigint[],
): Promise<void> {
  if (exchangeIds.length === 0) return;
  // First, so that a run that archives them at this moment is over.
  await sql`select o.id from orders o join partner_exchanges x on x.order_id = o.id
    where x.id = any(${exchangeIds}::bigint[]) order by o.id for key share of o`.execute(transaction);
  const ids = await archivedAmong(transaction, { orderIds: [], exchangeIds });
  if (ids.length > 0) await putBack(transaction, ids);
}

/** Which of these orders, and of those of these exchanges at partners, are in the archive. */
export async function archivedAmong(
  db: Kysely<Schema>,
  { orderIds, exchangeIds }: { orderIds: readonly string[]; exchangeIds: readonly bigint[] },
): Promise<string[]> {
  if (orderIds.length === 0 && exchangeIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from archived_orders where id = any(${orderIds}::text[])
    union
    select id from archived_orders where document -> 'partner_exchanges' @> any(array(
      select jsonb_build_array(jsonb_build_object('id', id)) from unnest(${exchangeIds}::bigint[]) id)) order by id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Whether an order is in the archive; the next moment may bring it back. */
export const isArchived = async (db: Kysely<Schema>, id: string): Promise<boolean> =>
  (await archivedAmong(db, { orderIds: [id], exchangeIds: [] })).length > 0;

/** True where the order is in its tables now, and locked against archiving; false where the archive never had it. */
export async function returnArchivedOrder(transaction: Transaction<Schema>, id: string): Promise<boolean> {
  await putBack(transaction, [id]);
  // Without a document, another process may have brought it back meanwhile.
  return (await lockAgainstArchiving(transaction, [id])).rows.length > 0;
}

const lockAgainstArchiving = (transaction: Transaction<Schema>, ids: readonly string[]) =>
  sql<{ id: string }>`select id from orders where id = any(${ids}::text[]) order by id for key share`.execute(
    transaction,
  );

/** Rows of one table that have the same columns; `rows` is their JSON, whose numbers are too long for ours. */
type StoredRows = { table: ArchivedTable; columns: string[]; rows: string };

/** One statement takes the documents, and one for each table inserts their rows; columns that were added since take their defaults. */
async function putBack(transaction: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  const { rows: stored } = await sql<StoredRows>`
    with taken as (
      delete from archived_orders where id = any(array(
        select id from archived_orders where id = any(${ids}::text[]) order by id for update))
      returning document
    ), known as materialized (
      select c.relname::text as name, array_agg(a.attname::text) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.oid = any(${TABLES.map((table) => `public.${table}`)}::regclass[]) group by c.relname
    )
    select known.name as table, same.columns, jsonb_agg(r)::text as rows
    from taken cross join known cross join lateral jsonb_array_elements(taken.document -> known.name) r
      cross join lateral (select array(
        select key from jsonb_object_keys(r) key where key = any(known.columns) order by key) as columns) same
    group by known.name, same.columns`.execute(transaction);
  for (const table of TABLES)
    for (const { columns, rows } of stored.filter((one) => one.table === table)) {
      const names = sql.join(columns.map((name) => sql.ref(name)));
      await sql`
        insert into ${sql.table(table)} (${names}) overriding system value
        select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${rows}::jsonb)`.execute(transaction);
    }
}

/** Another account's from now on, or nobody's: then without its email too. */
export async function transferArchivedOrders(
  transaction: Transaction<Schema>,
  { from, to }: { from: bigint; to: bigint | null },
): Promise<void> {
  const changes = to === null ? { user_id: null, user_email: null } : { user_id: Number(to) };
  await sql`update archived_orders set user_id = ${to},
    document = jsonb_set(document, '{orders,0}', document #> '{orders,0}' || ${JSON.stringify(changes)}::jsonb)
    where user_id = ${from}`.execute(transaction);
}

const PAGE_TABLES = [
  "orders",
  "order_events",
  "partner_exchanges",
  "deposits",
  "payouts",
  "payout_attempts",
] as const satisfies readonly ArchivedTable[];

/**
 * Reads like the order's tables, but from the archive, and dust that has come since: put before a query, these names take the place of the
 * tables.
 */
export const archivedTables = (ids: readonly string[]): RawBuilder<unknown> => {
  const from = (table: ArchivedTable) => sql`${sql.table(table)} as (
    select r.* from archived_orders a, jsonb_populate_recordset(null::${sql.table(`public.${table}`)}, a.document->${sql.lit(table)}) r
    where a.id = any(${ids}::text[])${table === "deposits" ? sql` union all select d.* from public.deposits d where d.order_id = any(${ids}::text[])` : sql``})`;
  return sql`with ${sql.join(PAGE_TABLES.map(from))}`;
};
