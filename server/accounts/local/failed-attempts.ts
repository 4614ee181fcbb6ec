import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { sha256 } from "../../base/secrets.ts";
import type { Clock } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";

/** contract §8: after so many failures within the window the next tries wait, longer each time. */
export const FREE_FAILURES = 5;
const WINDOW_SECONDS = 900;
const FIRST_WAIT_SECONDS = 15;
const MAX_WAIT_SECONDS = 900;

export type FailedAttempts = {
  /**
   * Counts a try as failed before it is judged, so that a thousand at once are not all judged; returns how many have failed with this one.
   * Throws 429 with Retry-After while the name has to wait, from its `free`th failure on.
   */
  begin(name: string, free?: number): Promise<number>;
  /** Counts a try of what can be tried `max` times in all; false once they are used up. */
  spend(name: string, max: number): Promise<boolean>;
  /** The try was none: something else was missing. */
  takeBack(name: string): Promise<void>;
  succeed(name: string): Promise<void>;
  prune(): Promise<void>;
};

export function createFailedAttempts({ kysely }: Database, clock: Clock): FailedAttempts {
  return {
    async begin(name, free = FREE_FAILURES) {
      const key = sha256(name);
      const now = clock.now();
      const failures = sql`case when a.last_at < ${now}::timestamptz - make_interval(secs => ${WINDOW_SECONDS}) then 1 else a.failures + 1 end`;
      const { rows } = await sql<{ failures: number }>`
        insert into failed_attempts as a (key, failures, last_at) values (${key}, 1, ${now})
        on conflict (key) do update set failures = ${failures}, last_at = excluded.last_at,
          blocked_until = case when ${failures} < ${free} then null else excluded.last_at + make_interval(secs =>
            least(${MAX_WAIT_SECONDS}, ${FIRST_WAIT_SECONDS} * 2 ^ least(${failures} - ${free}, 20))) end
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
    async spend(name, max) {
      const { rows } = await sql`
        insert into failed_attempts as a (key, failures, last_at) values (${sha256(name)}, 1, ${clock.now()})
        on conflict (key) do update set failures = a.failures + 1, last_at = excluded.last_at where a.failures < ${max}
        returning failures`.execute(kysely);
      return rows.length > 0;
    },
    async takeBack(name) {
      await sql`update failed_attempts set failures = greatest(failures - 1, 0), blocked_until = null
        where key = ${sha256(name)}`.execute(kysely);
    },
    async succeed(name) {
      await kysely.deleteFrom("failed_attempts").where("key", "=", sha256(name)).execute();
    },
    async prune() {
      await sql`delete from failed_attempts
        where last_at < ${clock.now()}::timestamptz - make_interval(days => 1)`.execute(kysely);
    },
  };
}

/** Whether what was thrown refuses a proof: a failure of the server and a code that is still missing count as no try. */
export const isFailedTry = (error: unknown): boolean => error instanceof CodedError && error.code !== "ERR_FORBIDDEN";
