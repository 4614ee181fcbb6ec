import { sql, type Kysely, type Transaction } from "kysely";
import * as z from "zod";
import type { MovableClock } from "../base/clock.ts";
import type { Log } from "../base/logging/log.ts";
import { createSteadyTime } from "../base/steady-time.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

const OFFSET_KEY = "clock_offset_seconds";
/** The highest time that any process on the database has reached. */
const MARK_KEY = "clock_mark";
const MARK_EVERY_MS = 5_000;
/** Processes on several machines differ by less. */
const TOLERATED_MS = 2_000;
/** A system's clock that is further ahead of the database's is wrong: one process would end everybody's orders, offers and sessions. */
export const MAX_AHEAD_MS = 300_000;

const offsetSchema = z.object({ seconds: z.number() });
/** `resets` counts how often an operator has led the time back. */
const markSchema = z.object({ ms: z.number(), resets: z.number().default(0) });
const NOW_KEY = "now";
const nowSchema = z.number();

type Row = { key: string; value: unknown };
const databaseMsOf = (rows: readonly Row[]): number => nowSchema.parse(rows.find(({ key }) => key === NOW_KEY)?.value);

/**
 * The business clock of a database: its time never runs back, whatever the system's clock does and whichever process asks (engine
 * law 13). A process whose clock is behind the others goes on from their time, and one whose clock is far ahead of the database's goes on by
 * that; both say so. What a sandbox on the same database has
 * added to it counts only in the sandbox.
 */
export async function openClock(
  database: Database,
  log: Pick<Log, "error">,
  { system = Date.now, isSandbox = true }: { system?: () => number; isSandbox?: boolean } = {},
): Promise<MovableClock> {
  let offset = 0;
  let markedAt = 0;
  let resets: number | null = null;
  let isBehind = false;
  let isAhead = false;
  const readRows = async (): Promise<Row[]> =>
    (
      await sql<Row>`
        select key, value from settings where key in (${OFFSET_KEY}, ${MARK_KEY})
        union all select ${NOW_KEY}, ${DATABASE_MS}`.execute(database.kysely)
    ).rows;

  const first = await readRows();
  /** The database's own time, and when it was read. */
  let read = { ms: databaseMsOf(first), tick: performance.now() };
  const time = createSteadyTime(() => {
    const given = system();
    const databaseMs = read.ms + performance.now() - read.tick;
    return given - databaseMs > MAX_AHEAD_MS ? databaseMs : given;
  });
  const now = () => new Date(time.now() + offset * 1000);

  const takeDatabaseTime = (ms: number): void => {
    read = { ms, tick: performance.now() };
    const aheadMs = system() - ms;
    if (aheadMs > MAX_AHEAD_MS && !isAhead)
      log.error(
        { seconds: Math.round(aheadMs / 1000) },
        "this system's clock is far ahead of the database's, which is used instead",
      );
    isAhead = aheadMs > MAX_AHEAD_MS;
  };

  const takeMark = ({ ms: mark, resets: given }: z.output<typeof markSchema>): void => {
    if (resets !== null && given > resets) time.restart(mark);
    resets = given;
    const behindMs = mark - time.now();
    if (behindMs > TOLERATED_MS && !isBehind)
      log.error(
        { seconds: Math.round(behindMs / 1000) },
        "this system's clock is behind; time goes on from the database's",
      );
    isBehind = behindMs > TOLERATED_MS;
    time.reach(mark);
  };

  /** The same with this process's time in the mark: one statement, because every process does it all the time. */
  const readAndMark = async (): Promise<Row[]> => {
    const ms = Math.floor(time.now());
    // A mark that was led back since this process read it is not raised by what it had before.
    const { rows } = await sql<Row>`
      with marked as (
        insert into settings (key, value) values (${MARK_KEY}, jsonb_build_object('ms', ${ms}::bigint))
        on conflict (key) do update set value = case when coalesce((settings.value->>'resets')::int, 0) <= ${resets ?? 0}
          then settings.value || jsonb_build_object('ms', greatest((settings.value->>'ms')::bigint, ${ms}::bigint)) else settings.value end
        returning key, value
      )
      select key, value from marked union all select key, value from settings where key = ${OFFSET_KEY}
      union all select ${NOW_KEY}, ${DATABASE_MS}`.execute(database.kysely);
    markedAt = ms;
    return rows;
  };

  const take = (rows: readonly Row[]): void => {
    takeDatabaseTime(databaseMsOf(rows));
    for (const { key, value } of rows) {
      if (key === OFFSET_KEY) offset = isSandbox ? offsetSchema.parse(value).seconds : 0;
      else if (key === MARK_KEY) takeMark(markSchema.parse(value));
    }
  };

  const refresh = async () => {
    const isDue = Math.abs(time.now() - markedAt) >= MARK_EVERY_MS;
    take(isDue ? await readAndMark() : await readRows());
  };

  const advance = async (seconds: number) => {
    const { rows } = await sql<{ value: unknown }>`
      insert into settings (key, value) values (${OFFSET_KEY}, jsonb_build_object('seconds', ${seconds}::double precision))
      on conflict (key) do update
        set value = jsonb_build_object('seconds', (settings.value->>'seconds')::double precision + ${seconds}::double precision)
      returning value`.execute(database.kysely);
    offset = offsetSchema.parse(rows[0]?.value).seconds;
    return now();
  };

  take(first);
  await refresh();
  return { now, offsetSeconds: () => offset, advance, refresh };
}

const DATABASE_MS = sql`to_jsonb(floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`;

/** By how much the time that processes have reached is ahead of the database's, in milliseconds; null where none was reached. */
export async function readMarkAhead(db: Kysely<Schema>): Promise<number | null> {
  const { rows } = await sql<{ ahead: number }>`
    select ((value->>'ms')::float8 - extract(epoch from clock_timestamp())::float8 * 1000) as ahead from settings where key = ${MARK_KEY}`.execute(
    db,
  );
  return rows[0]?.ahead ?? null;
}

/** Leads the time of every process back to the database's, after a wrong clock has moved it ahead. */
export async function resetMark(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    update settings set value = jsonb_build_object('ms', floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
      'resets', coalesce((value->>'resets')::int, 0) + 1)
    where key = ${MARK_KEY}`.execute(transaction);
}
