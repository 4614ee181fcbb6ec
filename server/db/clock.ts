import { sql } from "kysely";
import * as z from "zod";
import type { MovableClock } from "../base/clock.ts";
import type { Log } from "../base/logging/log.ts";
import { createSteadyTime, type SteadyTime } from "../base/steady-time.ts";
import type { Database } from "./database.ts";

const OFFSET_KEY = "clock_offset_seconds";
/** The highest time that any process on the database has reached. */
const MARK_KEY = "clock_mark";
const MARK_EVERY_MS = 5_000;
/** Processes on several machines differ by less. */
const TOLERATED_MS = 2_000;

const offsetSchema = z.object({ seconds: z.number() });
const markSchema = z.object({ ms: z.number() });

/**
 * The business clock of a database: its time never runs back, whatever the system's clock does and whichever process asks (engine
 * law 13). A process whose clock is behind the others goes on from their time, and says so. What a sandbox on the same database has
 * added to it counts only in the sandbox.
 */
export async function openClock(
  database: Database,
  log: Pick<Log, "error">,
  { time = createSteadyTime(), isSandbox = true }: { time?: SteadyTime; isSandbox?: boolean } = {},
): Promise<MovableClock> {
  let offset = 0;
  let markedAt = 0;
  let isBehind = false;
  const now = () => new Date(time.now() + offset * 1000);

  const takeMark = (mark: number): void => {
    const behindMs = mark - time.now();
    if (behindMs > TOLERATED_MS && !isBehind)
      log.error(
        { seconds: Math.round(behindMs / 1000) },
        "this system's clock is behind; time goes on from the database's",
      );
    isBehind = behindMs > TOLERATED_MS;
    time.reach(mark);
  };

  type Row = { key: string; value: unknown };
  const read = async (): Promise<Row[]> =>
    database.kysely
      .selectFrom("settings")
      .select(["key", "value"])
      .where("key", "in", [OFFSET_KEY, MARK_KEY])
      .execute();

  /** The same with this process's time in the mark: one statement, because every process does it all the time. */
  const readAndMark = async (): Promise<Row[]> => {
    const ms = Math.floor(time.now());
    const { rows } = await sql<Row>`
      with marked as (
        insert into settings (key, value) values (${MARK_KEY}, jsonb_build_object('ms', ${ms}::bigint))
        on conflict (key) do update set value = jsonb_build_object('ms', greatest((settings.value->>'ms')::bigint, ${ms}::bigint))
        returning key, value
      )
      select key, value from marked union all select key, value from settings where key = ${OFFSET_KEY}`.execute(
      database.kysely,
    );
    markedAt = ms;
    return rows;
  };

  const refresh = async () => {
    const isDue = time.now() - markedAt >= MARK_EVERY_MS;
    for (const { key, value } of isDue ? await readAndMark() : await read()) {
      if (key === OFFSET_KEY) offset = isSandbox ? offsetSchema.parse(value).seconds : 0;
      else takeMark(markSchema.parse(value).ms);
    }
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

  await refresh();
  return { now, offsetSeconds: () => offset, advance, refresh };
}
