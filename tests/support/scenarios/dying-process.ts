import { createLog } from "../../../server/base/logging/log.ts";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import type { CrashPoints } from "./crash-points.ts";

const log = createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
const MAX_CONNECTIONS = 4;
let processes = 0;

/**
 * Runs `work` over connections of its own, as a process would, until it is done or dies at a point. Returns the name of the point where it
 * died, null when it did not. A dead process's connections are cut by the database, with what they had not committed.
 */
export async function runProcess(
  outside: Pick<Database, "url" | "pool">,
  points: CrashPoints | null,
  work: (database: Database) => Promise<unknown>,
): Promise<string | null> {
  processes += 1;
  const applicationName = `process-${processes}`;
  const database = openDatabase(outside.url, { max: MAX_CONNECTIONS, log, applicationName });
  const ended = work(database).then(() => null);
  const died = points === null ? await ended : await Promise.race([points.crashed, ended]);
  if (died === null) await database.close();
  else {
    await cutConnections(outside, applicationName);
    database.pool.end().catch((error: unknown) => log.debug({ err: error }, "a dead process's pool"));
  }
  return died;
}

/** Ends a process's sessions; what they had locked is free after this. */
export async function cutConnections({ pool }: Pick<Database, "pool">, applicationName: string): Promise<void> {
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = $1`;
  // PostgreSQL's own wait for the end of a session looks every 100 ms only.
  while (((await pool.query(cut, [applicationName])).rowCount ?? 0) > 0);
}

const DUE_NOW = ["orders", "payouts", "sweeps", "partner_exchanges"].map(
  (table) => `update ${table} set next_attempt_at = to_timestamp(0) where next_attempt_at is not null`,
);
const RETRY_NOW = "update job_failures set paused_until = to_timestamp(0)";
const RESEND_NOW = "update payouts set resend_at = null where resend_at is not null";
const REPLACE_NOW = "update payouts set replace_at = to_timestamp(0) where replace_at is not null";

/** Lets leases, pauses and retries run out; `replacements`: no block has taken a payment for long enough to replace it, too. */
export async function timePasses(
  { pool }: Pick<Database, "pool">,
  { replacements = false }: { replacements?: boolean } = {},
): Promise<void> {
  // One round trip: scenarios let time pass before each block.
  await pool.query([...DUE_NOW, RETRY_NOW, RESEND_NOW, ...(replacements ? [REPLACE_NOW] : [])].join("; "));
}
