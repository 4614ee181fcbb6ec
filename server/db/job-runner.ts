import { sql, type RawBuilder } from "kysely";
import type { Log } from "../base/log.ts";
import type { Database } from "./database.ts";

/**
 * A queue is a table whose rows are jobs: `next_attempt_at` says when one is due, null that it is not. Payments of
 * sweeps have a queue of their own, so that no customer waits for them.
 */
export type JobQueue = "orders" | "payouts" | "sweeps" | "sweep payments" | "partner_exchanges";

const QUEUES: Record<
  JobQueue,
  { table: "orders" | "payouts" | "sweeps" | "partner_exchanges"; only: RawBuilder<boolean> }
> = {
  orders: { table: "orders", only: sql`true` },
  payouts: { table: "payouts", only: sql`sweep_id is null` },
  sweeps: { table: "sweeps", only: sql`true` },
  partner_exchanges: { table: "partner_exchanges", only: sql`true` },
  "sweep payments": { table: "payouts", only: sql`sweep_id is not null` },
};

/** Longer than a single job takes; the jobs of a crashed worker come due again after it. */
const LEASE_SECONDS = 15;
const RETRY_SECONDS = 2;
const BATCH = 50;

/**
 * Runs one batch of the jobs that are due. A job that throws is logged and retried soon, and stops no other. True when the batch
 * was full, so that more may be due.
 */
export async function runDueJobs(
  database: Database,
  queue: JobQueue,
  run: (id: string) => Promise<unknown>,
  log: Log,
): Promise<boolean> {
  const ids = await leaseDueJobs(database, queue, BATCH, LEASE_SECONDS);
  for (const id of ids) {
    try {
      await run(id);
    } catch (error) {
      log.error({ err: error, queue, id }, "job failed and will be retried");
      await retryAfter(database, queue, id, RETRY_SECONDS);
    }
  }
  return ids.length === BATCH;
}

/**
 * Leases due jobs, so that other workers skip them and a crash loses none: a job comes due again when its lease ends (engine law 1).
 * The longest overdue come first, and jobs that came due together in the order of their ids.
 *
 * @internal Exported for its tests.
 */
export async function leaseDueJobs(
  database: Database,
  queue: JobQueue,
  limit: number,
  leaseSeconds: number,
): Promise<string[]> {
  const { table, only } = QUEUES[queue];
  const { rows } = await sql<{ id: string }>`
    with due as (
      select id, next_attempt_at as due_at from ${sql.table(table)} where next_attempt_at <= now() and ${only}
      order by next_attempt_at, id limit ${limit} for update skip locked
    ), leased as (
      update ${sql.table(table)} as job set next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
      from due where job.id = due.id returning job.id, due.due_at
    )
    select id::text as id from leased order by due_at, leased.id`.execute(database.kysely);
  return rows.map((row) => row.id);
}

/** Makes a failed job due again before its lease ends. */
async function retryAfter(database: Database, queue: JobQueue, id: string, seconds: number): Promise<void> {
  const { table } = QUEUES[queue];
  await sql`
    update ${sql.table(table)} set next_attempt_at = least(next_attempt_at, now() + make_interval(secs => ${seconds}))
    where id::text = ${id} and next_attempt_at is not null`.execute(database.kysely);
}
