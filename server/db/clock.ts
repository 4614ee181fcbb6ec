import { sql } from "kysely";
import type { MovableClock } from "../base/clock.ts";
import type { Database } from "./database.ts";

const OFFSET_KEY = "clock_offset_seconds";

export async function openClock(database: Database): Promise<MovableClock> {
  let offset = 0;
  const now = () => new Date(Date.now() + offset * 1000);
  const read = (value: unknown): number =>
    typeof value === "object" && value !== null && "seconds" in value ? Number(value.seconds) : 0;

  const refresh = async () => {
    const row = await database.kysely
      .selectFrom("settings")
      .select("value")
      .where("key", "=", OFFSET_KEY)
      .executeTakeFirst();
    offset = read(row?.value);
  };

  const advance = async (seconds: number) => {
    const { rows } = await sql<{ value: unknown }>`
      insert into settings (key, value) values (${OFFSET_KEY}, jsonb_build_object('seconds', ${seconds}::double precision))
      on conflict (key) do update
        set value = jsonb_build_object('seconds', (settings.value->>'seconds')::double precision + ${seconds}::double precision)
      returning value`.execute(database.kysely);
    offset = read(rows[0]?.value);
    return now();
  };

  await refresh();
  return { now, offsetSeconds: () => offset, advance, refresh };
}
