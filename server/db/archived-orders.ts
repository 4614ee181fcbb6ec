import { sql, type RawBuilder, type Transaction } from "kysely";
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
    insert into archived_orders (id, reference, document)
    select o.id, o.reference, jsonb_build_object(${sql.join(parts)}) from orders o where o.id = any(${ids}::text[])`.execute(
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

/**
 * Brings archived orders back as they were, because something arrived for them; others stay as they are. The orders are locked against
 * archiving until the transaction ends.
 */
export async function returnArchivedOrders(transaction: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select id from orders where id = any(${ids}::text[]) order by id for key share`.execute(transaction);
  const found = new Set(rows.map(({ id }) => id));
  for (const id of ids.toSorted()) if (!found.has(id)) await returnArchivedOrder(transaction, id);
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
  const { rows } = await sql<{ id: string }>`
    select id from archived_orders where document -> 'partner_exchanges' @> any(array(
      select jsonb_build_array(jsonb_build_object('id', id)) from unnest(${exchangeIds}::bigint[]) id)) order by id`.execute(
    transaction,
  );
  for (const { id } of rows) await returnArchivedOrder(transaction, id);
}

/** True where the order is in its tables now, and locked against archiving; false where the archive never had it. */
export async function returnArchivedOrder(transaction: Transaction<Schema>, id: string): Promise<boolean> {
  const { rows } = await sql<{ document: string }>`
    delete from archived_orders where id = ${id} returning document::text as document`.execute(transaction);
  const [row] = rows;
  if (row !== undefined) for (const table of TABLES) await insertRows(transaction, table, row.document);
  // Without a row, another process may have brought it back meanwhile.
  const known = await sql`select id from orders where id = ${id} for key share`.execute(transaction);
  return known.rows.length > 0;
}

/** Columns that were added since take their defaults. */
async function insertRows(transaction: Transaction<Schema>, table: ArchivedTable, document: string): Promise<void> {
  const rows = sql`jsonb_array_elements(${document}::jsonb->${sql.lit(table)})`;
  const known = await sql<{ name: string }>`
    select distinct key as name from ${rows} r, jsonb_object_keys(r) key
    where key in (select column_name from information_schema.columns where table_schema = 'public' and table_name = ${table})`.execute(
    transaction,
  );
  if (known.rows.length === 0) return;
  const columns = sql.join(known.rows.map(({ name }) => sql.ref(name)));
  await sql`
    insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${document}::jsonb->${sql.lit(table)})`.execute(
    transaction,
  );
}

const PAGE_TABLES = [
  "orders",
  "order_events",
  "partner_exchanges",
  "deposits",
  "payouts",
  "payout_attempts",
] as const satisfies readonly ArchivedTable[];

/** Reads like the order's tables, but from the archive: put before a query, these names take the place of the tables. */
export const archivedTables = (id: string): RawBuilder<unknown> => {
  const from = (table: ArchivedTable) => sql`${sql.table(table)} as (
    select r.* from archived_orders a, jsonb_populate_recordset(null::${sql.table(`public.${table}`)}, a.document->${sql.lit(table)}) r
    where a.id = ${id})`;
  return sql`with ${sql.join(PAGE_TABLES.map(from))}`;
};
