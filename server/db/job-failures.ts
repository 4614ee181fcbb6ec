import { sql, type Transaction } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

/** Operators are notified of a job that has failed so often in a row. */
export const HELD_AFTER_FAILURES = 8;
const MAX_PAUSE_SECONDS = 300;
const MAX_ERROR_LENGTH = 500;

/**
 * Queues whose jobs back off when they throw. Payments and sweeps count what is their own fault by themselves; what throws there is the fault
 * of their network's node.
 */
const BACKING_OFF = ["orders", "partner_exchanges", "card_orders"] as const;
export type BackingOffQueue = (typeof BACKING_OFF)[number];

export const backsOff = (queue: string): queue is BackingOffQueue => BACKING_OFF.some((one) => one === queue);

/** Counts a failure of a job and pauses it, twice as long each time; returns how often it has failed in a row. */
export async function recordJobFailure(
  database: Database,
  queue: BackingOffQueue,
  id: string,
  error: unknown,
): Promise<number> {
  const text = String(error).slice(0, MAX_ERROR_LENGTH);
  const { rows } = await sql<{ failures: number }>`
    with counted as (
      insert into job_failures as known (queue, job_id, failures, last_error, paused_until)
      values (${queue}, ${id}, 1, ${text}, now() + interval '2 seconds')
      on conflict (queue, job_id) do update set failures = known.failures + 1, last_error = excluded.last_error,
        paused_until = now() + make_interval(secs => least(${MAX_PAUSE_SECONDS}, 2 ^ least(known.failures + 1, 20)))
      returning failures, paused_until
    ), paused as (
      update ${sql.table(queue)} as job set next_attempt_at = counted.paused_until from counted
      where job.id = ${idOf(queue, id)} and job.next_attempt_at is not null
    )
    select failures from counted`.execute(database.kysely);
  return rows[0]?.failures ?? 1;
}

/** It has succeeded. */
export const forgetJobFailures = ({ kysely }: Database, queue: BackingOffQueue, id: string): Promise<unknown> =>
  kysely.deleteFrom("job_failures").where("queue", "=", queue).where("job_id", "=", id).execute();

/** Lets a failing job run at once. Its failures as they were; null where it does not fail. */
export async function retryFailingJob(
  transaction: Transaction<Schema>,
  queue: BackingOffQueue,
  id: string,
): Promise<{ failures: number; error: string } | null> {
  const before = await transaction
    .deleteFrom("job_failures")
    .where("queue", "=", queue)
    .where("job_id", "=", id)
    .returning(["failures", "last_error as error"])
    .executeTakeFirst();
  if (before === undefined) return null;
  await sql`
    update ${sql.table(queue)} set next_attempt_at = now()
    where id = ${idOf(queue, id)} and next_attempt_at is not null`.execute(transaction);
  return before;
}

const idOf = (queue: BackingOffQueue, id: string) => (queue === "orders" ? sql`${id}::text` : sql`${id}::bigint`);
