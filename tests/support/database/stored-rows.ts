import { sql } from "kysely";
import type { Database } from "../../../server/db/database.ts";

const TABLES = [
  "orders",
  "order_events",
  "deposit_addresses",
  "deposits",
  "payouts",
  "payout_handles",
  "payout_attempts",
  "payout_children",
  "ledger_accounts",
  "ledger_transfers",
  "ledger_entries",
  "idempotency_keys",
] as const;

/** What a follower notes beside an order's address at some later time; no call writes it. */
const NOTED = sql`array['watched_from', 'initial_balance', 'next_look_at', 'look_seconds', 'settled_balance', 'settled_sweep', 'settled_deposit']`;

/** Number and checksum of the rows of every table that a call may write. */
export async function rowsOf(database: Database): Promise<Record<string, string>> {
  const parts = TABLES.map(
    (table) =>
      sql`select ${sql.lit(table)} as name, count(*) || ' ' || coalesce(md5(string_agg((to_jsonb(row) - ${NOTED})::text, '|' order by (to_jsonb(row) - ${NOTED})::text)), '') as rows from ${sql.table(table)} row`,
  );
  const { rows } = await sql<{ name: string; rows: string }>`${sql.join(parts, sql` union all `)}`.execute(
    database.kysely,
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}
