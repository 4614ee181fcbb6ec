import { sql, type RawBuilder } from "kysely";
import type { Database } from "./database.ts";

/** Rows that are work: each has `next_attempt_at`, null when nothing is due. The payments of sweeps stand apart from those that customers wait for. */
export type WorkTable = "orders" | "payouts" | "sweeps" | "sweep payments" | "partner_exchanges";

const WORK: Record<
  WorkTable,
  { table: "orders" | "payouts" | "sweeps" | "partner_exchanges"; only: RawBuilder<boolean> }
> = {
  orders: { table: "orders", only: sql`true` },
  payouts: { table: "payouts", only: sql`sweep_id is null` },
  sweeps: { table: "sweeps", only: sql`true` },
  partner_exchanges: { table: "partner_exchanges", only: sql`true` },
  "sweep payments": { table: "payouts", only: sql`sweep_id is not null` },
};

/**
 * Takes work that is due and leases it, so that another worker leaves it alone and a crashed one loses nothing:
 * the row comes due again when the lease ends (engine law 1). What has waited longest comes first, what came due at once by its id.
 */
export async function claimDue(
  database: Database,
  work: WorkTable,
  limit: number,
  leaseSeconds: number,
): Promise<string[]> {
  const { table, only } = WORK[work];
  const { rows } = await sql<{ id: string }>`
    with due as (
      select id, next_attempt_at as due_at from ${sql.table(table)} where next_attempt_at <= now() and ${only}
      order by next_attempt_at, id limit ${limit} for update skip locked
    ), taken as (
      update ${sql.table(table)} as held set next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
      from due where held.id = due.id returning held.id, due.due_at
    )
    select id::text as id from taken order by due_at, taken.id`.execute(database.kysely);
  return rows.map((row) => row.id);
}

/** Brings a row back after a failure, sooner than its lease would. */
export async function retryAfter(database: Database, work: WorkTable, id: string, seconds: number): Promise<void> {
  const { table } = WORK[work];
  await sql`
    update ${sql.table(table)} set next_attempt_at = least(next_attempt_at, now() + make_interval(secs => ${seconds}))
    where id::text = ${id} and next_attempt_at is not null`.execute(database.kysely);
}
