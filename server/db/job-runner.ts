import { sql, type RawBuilder } from "kysely";
import type { Log } from "../base/logging/log.ts";
import { backsOff, forgetJobFailures, HELD_AFTER_FAILURES, recordJobFailure } from "./job-failures.ts";
import type { TurnResult } from "../base/concurrency/loop.ts";
import type { Database } from "./database.ts";

/**
 * A queue is a table whose rows are jobs: `next_attempt_at` says when one is due, null that it is not. Payments of
 * sweeps have a queue of their own, so that no customer waits for them.
 */
export type JobQueue = "orders" | "payouts" | "sweeps" | "sweep payments" | "partner_exchanges" | "card_orders";

const QUEUES: Record<
  JobQueue,
  { table: "orders" | "payouts" | "sweeps" | "partner_exchanges" | "card_orders"; only: RawBuilder<boolean> }
> = {
  orders: { table: "orders", only: sql`true` },
  payouts: { table: "payouts", only: sql`sweep_id is null` },
  sweeps: { table: "sweeps", only: sql`true` },
  partner_exchanges: { table: "partner_exchanges", only: sql`true` },
  card_orders: { table: "card_orders", only: sql`true` },
  "sweep payments": { table: "payouts", only: sql`sweep_id is not null` },
};

/** Longer than a single job takes; the jobs of a crashed worker come due again after it. */
const LEASE_SECONDS = 15;
const RETRY_SECONDS = 2;
const BATCH = 50;

export type JobLimits = {
  /** Jobs that run at the same time; one unless given. */
  concurrency?: number;
  /** A job that takes longer holds up no other: it goes on by itself, and comes due again when its lease ends. No limit unless given. */
  budgetMs?: number;
};

export type JobOptions = JobLimits & {
  /** Only the jobs of one network. */
  network?: string;
};

/**
 * Runs one batch of the jobs that are due. A job that throws is logged, stops no other and is retried: soon, or where its queue backs off
 * after a pause that grows with each failure. True when the batch was full, so that more may be due.
 */
export async function runDueJobs(
  database: Database,
  queue: JobQueue,
  run: (id: string) => Promise<unknown>,
  log: Log,
  { network, concurrency = 1, budgetMs = Number.POSITIVE_INFINITY }: JobOptions = {},
): Promise<boolean> {
  const leasedAt = performance.now();
  const leased = await lease(database, queue, BATCH, LEASE_SECONDS, network);
  const left = leased.filter(({ isPaused }) => !isPaused);
  // A job that could outlive its lease is not begun: it comes due again by itself.
  const mayBegin = () =>
    budgetMs === Number.POSITIVE_INFINITY || performance.now() - leasedAt + budgetMs < LEASE_SECONDS * 1000;
  const runNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && mayBegin(); next = left.shift()) {
      const { id, hasFailed } = next;
      const job = queue === "orders" ? { queue, orderId: id } : { queue, id };
      try {
        if (
          await isOverdue(run(id), budgetMs, (error) =>
            log.warn({ err: error, ...job }, "a job failed after its time limit"),
          )
        )
          log.error({ ...job, network, budgetMs }, "a job takes too long; others go on without it");
        else if (hasFailed && backsOff(queue)) await forgetJobFailures(database, queue, id);
      } catch (error) {
        if (!backsOff(queue)) {
          log.error({ err: error, ...job }, "a job failed and will be retried");
          await retryAfter(database, queue, id, RETRY_SECONDS);
          continue;
        }
        const failures = await recordJobFailure(database, queue, id, error);
        const isHeld = failures >= HELD_AFTER_FAILURES;
        log.error(
          { err: error, ...job, failures },
          isHeld ? "a job failed and needs review" : "a job failed and will be retried",
        );
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, left.length) }, runNext));
  return leased.length === BATCH;
}

/** True once the work has taken longer than it may; throws what it throws before that, and reports what it throws later. */
async function isOverdue(
  work: Promise<unknown>,
  budgetMs: number,
  onLateError: (error: unknown) => void,
): Promise<boolean> {
  const done = work.then(() => false);
  if (budgetMs === Number.POSITIVE_INFINITY) return done;
  const late = Promise.withResolvers<true>();
  const timer = setTimeout(late.resolve, budgetMs, true);
  try {
    const overdue = await Promise.race([done, late.promise]);
    if (overdue) done.catch(onLateError);
    return overdue;
  } finally {
    clearTimeout(timer);
  }
}

/** When jobs of networks come due: the networks with some now, and the milliseconds until the first of the others; null without any. */
export type DueNetworks = { networks: string[]; nextInMs: number | null };

/** Finds the networks that have jobs due, so that each can be served by a loop of its own. */
export async function dueNetworks(
  database: Database,
  queues: readonly ("payouts" | "sweeps" | "sweep payments")[],
): Promise<DueNetworks> {
  const each = queues.map((queue) => {
    const { table, only } = QUEUES[queue];
    return sql`select network, ${untilDue} as ms from ${sql.table(table)}
      where next_attempt_at is not null and ${only} group by network`;
  });
  const { rows } = await sql<{ network: string; ms: number }>`${sql.join(each, sql` union all `)}`.execute(
    database.kysely,
  );
  const later = rows.flatMap(({ ms }) => (ms > 0 ? [ms] : []));
  return {
    networks: [...new Set(rows.flatMap(({ network, ms }) => (ms > 0 ? [] : [network])))],
    nextInMs: later.length === 0 ? null : Math.min(...later),
  };
}

const untilDue = sql<number>`(extract(epoch from min(next_attempt_at) - now()) * 1000)::double precision`;

/**
 * A loop's turn over a queue: asks when its next job is due, runs a batch when that is now, and says how long it has nothing to do. So an
 * idle queue costs one small query now and then (engine law 1: whoever makes a job due wakes the loop, and a poll finds what was missed).
 */
export async function dueTurn(database: Database, queue: JobQueue, run: () => Promise<boolean>): Promise<TurnResult> {
  const { table, only } = QUEUES[queue];
  const { rows } = await sql<{ ms: number | null }>`
    select ${untilDue} as ms from ${sql.table(table)} where next_attempt_at is not null and ${only}`.execute(
    database.kysely,
  );
  const ms = rows[0]?.ms ?? null;
  if (ms === null) return false;
  return ms > 0 ? ms : (await run()) || 0;
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
  network?: string,
): Promise<string[]> {
  return (await lease(database, queue, limit, leaseSeconds, network)).flatMap(({ id, isPaused }) =>
    isPaused ? [] : [id],
  );
}

type LeasedJob = {
  id: string;
  hasFailed: boolean;
  /** Something has made it due in the pause after a failure: it waits for the end of that. */
  isPaused: boolean;
};

async function lease(
  database: Database,
  queue: JobQueue,
  limit: number,
  leaseSeconds: number,
  network?: string,
): Promise<LeasedJob[]> {
  const { table, only } = QUEUES[queue];
  const ofNetwork = network === undefined ? sql`true` : sql`network = ${network}`;
  const failures = sql`left join job_failures f on f.queue = ${queue} and f.job_id = due.id::text`;
  const leaseEnd = sql`now() + make_interval(secs => ${leaseSeconds})`;
  const { rows } = await sql<LeasedJob>`
    with due as (
      select id, next_attempt_at as due_at from ${sql.table(table)} where next_attempt_at <= now() and ${only} and ${ofNetwork}
      order by next_attempt_at, id limit ${limit} for update skip locked
    ), leased as (
      update ${sql.table(table)} as job
      set next_attempt_at = case when f.paused_until > now() then f.paused_until else ${leaseEnd} end
      from due ${failures} where job.id = due.id
      returning job.id, due.due_at, f.queue is not null as has_failed, coalesce(f.paused_until > now(), false) as is_paused
    )
    select id::text as id, has_failed as "hasFailed", is_paused as "isPaused" from leased order by due_at, leased.id`.execute(
    database.kysely,
  );
  return rows;
}

/** Makes a failed job due again before its lease ends. */
async function retryAfter(database: Database, queue: JobQueue, id: string, seconds: number): Promise<void> {
  const { table } = QUEUES[queue];
  await sql`
    update ${sql.table(table)} set next_attempt_at = least(next_attempt_at, now() + make_interval(secs => ${seconds}))
    where id = ${table === "orders" ? sql`${id}::text` : sql`${id}::bigint`} and next_attempt_at is not null`.execute(
    database.kysely,
  );
}
