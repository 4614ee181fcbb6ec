import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** What is stored under a key of `settings`; undefined where nothing is. Parse it: an older version may have written it. */
export async function readSetting(db: Kysely<Schema>, key: string): Promise<unknown> {
  const row = await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value;
}

export async function storeSetting(db: Kysely<Schema>, key: string, value: object): Promise<void> {
  const json = JSON.stringify(value);
  await db
    .insertInto("settings")
    .values({ key, value: json })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: json }))
    .execute();
}

export async function deleteSetting(db: Kysely<Schema>, key: string): Promise<void> {
  await db.deleteFrom("settings").where("key", "=", key).execute();
}

/** What is stored under a key: `made`, where nothing was. Processes that come together all get the same. */
export async function readOrMakeSetting(db: Kysely<Schema>, key: string, made: object): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`
    insert into settings (key, value) values (${key}, ${JSON.stringify(made)}::jsonb)
    on conflict (key) do update set key = excluded.key returning value`.execute(db);
  if (rows[0] === undefined) throw new Error(`the setting ${key} could not be stored`);
  return rows[0].value;
}
