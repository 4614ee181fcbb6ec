import { sql } from "kysely";
import * as z from "zod";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../database.ts";
import { inTransaction } from "../transaction.ts";
import { markRestored } from "./restored.ts";

const KEY = "database_fallback";

/** Which run of the database server answers, and how much it has written: a number that only grows, unless rows are lost. */
export type DatabasePosition = { run: string; timeline: string; written: bigint };

export type DatabaseWatch = {
  /**
   * Compares the database with what this process last saw of it, and marks every network as unread where it has lost rows since. Returns how
   * often its server was started anew while this process ran.
   */
  check(): Promise<number>;
};

const fallbackSchema = z.object({ position: z.string() }).nullable();

/**
 * Notices while a process runs that its database fell back: a replica that lacked the newest rows took over, or a snapshot of its volume was
 * put back. Payments whose rows are lost would be due once more (engine law 5).
 */
export function createDatabaseWatch(
  database: Database,
  log: Pick<Log, "error">,
  read: () => Promise<DatabasePosition> = () => readPosition(database),
): DatabaseWatch {
  let known: DatabasePosition | null = null;
  let starts = 0;
  return {
    async check() {
      // What was known before the query: of two that run at once the first may answer last.
      const before = known;
      const now = await read();
      if (before === null) {
        known ??= now;
        return starts;
      }
      if (now.written >= before.written && now.timeline === before.timeline) {
        if (now.run !== before.run && known?.run !== now.run) starts += 1;
        if (known === null || known.run !== now.run || known.written < now.written) known = now;
        return starts;
      }
      // Marked before it is remembered: a mark that fails is tried again.
      if (await markOnce(database, now))
        log.error(
          { before: before.written.toString(), now: now.written.toString(), timeline: now.timeline },
          "the database fell back while the server ran; payments wait until the networks of their orders are read",
        );
      known = now;
      starts += 1;
      return starts;
    },
  };
}

async function readPosition({ kysely }: Database): Promise<DatabasePosition> {
  const { rows } = await sql<{ run: string; timeline: string; written: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()), extract(epoch from pg_postmaster_start_time())) as run,
      left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
      (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as written`.execute(kysely);
  const [row] = rows;
  if (row === undefined) throw new Error("the database doesn't say how much it has written");
  return { ...row, written: BigInt(row.written) };
}

/** Of several processes that notice the same fall-back one marks it. */
async function markOnce(database: Database, { run, timeline }: DatabasePosition): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${KEY}))`.execute(transaction);
    const position = `${run}/${timeline}`;
    const row = await transaction.selectFrom("settings").select("value").where("key", "=", KEY).executeTakeFirst();
    if (fallbackSchema.parse(row?.value ?? null)?.position === position) return false;
    await sql`
      insert into settings (key, value) values (${KEY}, jsonb_build_object('position', ${position}::text))
      on conflict (key) do update set value = excluded.value`.execute(transaction);
    await markRestored(transaction);
    return true;
  });
}
