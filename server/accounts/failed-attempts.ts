import { createHash } from "node:crypto";
import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";

/** contract §8: after so many failures within the window the next tries wait, longer each time. */
const FREE_FAILURES = 5;
const WINDOW_SECONDS = 900;
const FIRST_WAIT_SECONDS = 15;
const MAX_WAIT_SECONDS = 900;

export type FailedAttempts = {
  /**
   * Counts a try as failed before it is judged, so that a thousand at once are not all judged; returns how many have failed with this one.
   * Throws 429 with Retry-After while the name has to wait.
   */
  begin(name: string): Promise<number>;
  /** The try was none: something else was missing. */
  takeBack(name: string): Promise<void>;
  succeed(name: string): Promise<void>;
  prune(): Promise<void>;
};

export function createFailedAttempts({ kysely }: Database, clock: Clock): FailedAttempts {
  return {
    async begin(name) {
      const key = keyOf(name);
      const now = clock.now();
      const failures = sql`case when a.last_at < ${now}::timestamptz - make_interval(secs => ${WINDOW_SECONDS}) then 1 else a.failures + 1 end`;
      const { rows } = await sql<{ failures: number }>`
        insert into failed_attempts as a (key, failures, last_at) values (${key}, 1, ${now})
        on conflict (key) do update set failures = ${failures}, last_at = excluded.last_at,
          blocked_until = case when ${failures} < ${FREE_FAILURES} then null else excluded.last_at + make_interval(secs =>
            least(${MAX_WAIT_SECONDS}, ${FIRST_WAIT_SECONDS} * 2 ^ least(${failures} - ${FREE_FAILURES}, 20))) end
        where a.blocked_until is null or a.blocked_until <= ${now}
        returning failures`.execute(kysely);
      if (rows[0] !== undefined) return rows[0].failures;
      const row = await kysely
        .selectFrom("failed_attempts")
        .select("blocked_until")
        .where("key", "=", key)
        .executeTakeFirst();
      const seconds = Math.ceil(((row?.blocked_until?.getTime() ?? 0) - now.getTime()) / 1000);
      throw new CodedError("ERR_BAD_REQUEST", "Too many failed attempts: wait before the next", {
        httpStatus: 429,
        retryAfterSeconds: Math.max(1, seconds),
      });
    },
    async takeBack(name) {
      await sql`update failed_attempts set failures = greatest(failures - 1, 0), blocked_until = null
        where key = ${keyOf(name)}`.execute(kysely);
    },
    async succeed(name) {
      await kysely.deleteFrom("failed_attempts").where("key", "=", keyOf(name)).execute();
    },
    async prune() {
      await sql`delete from failed_attempts
        where last_at < ${clock.now()}::timestamptz - make_interval(days => 1)`.execute(kysely);
    },
  };
}

/** Emails and addresses of clients are nobody's business. */
const keyOf = (name: string): Buffer => createHash("sha256").update(name).digest();
