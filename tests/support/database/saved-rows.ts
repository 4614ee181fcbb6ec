import pg from "pg";
import { markRestored } from "../../../server/db/backup/restored.ts";
import type { Database } from "../../../server/db/database.ts";
import { inTransaction } from "../../../server/db/transaction.ts";

const TABLES = `
  select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ' order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname`;
const SEQUENCES = "select format('%I', sequencename) as name from pg_sequences where schemaname = 'public'";
/** A file without a byte never held a row. */
const HOLDING = "select name from unnest($1::text[]) name where pg_relation_size(('public.' || name)::regclass) > 0";

/** What puts back the rows of each table, and all sequences. */
export type SavedRows = { readonly tables: ReadonlyMap<string, string>; readonly sequences: readonly string[] };

/** Keeps a second set of a database's rows in it, and where its sequences are. */
export async function saveRows(url: string): Promise<SavedRows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = (await client.query<{ name: string; columns: string }>(TABLES)).rows;
    const sequences = (await client.query<{ name: string }>(SEQUENCES)).rows;
    await client.query("create schema saved");
    for (const { name } of tables) await client.query(`create table saved.${name} as table public.${name}`);
    for (const { name } of sequences)
      await client.query(`create table saved.${name} as select last_value, is_called from public.${name}`);
    const back = tables.map(({ name, columns }): [string, string] => [
      name,
      `delete from public.${name}; insert into public.${name} (${columns}) overriding system value select ${columns} from saved.${name}`,
    ]);
    const set = sequences.map(
      ({ name }) => `select setval('public.${name}', last_value, is_called) from saved.${name}`,
    );
    return { tables: new Map(back), sequences: set };
  } finally {
    await client.end();
  }
}

/** Puts back what `saveRows` kept. Nobody else may use the database. */
export async function restoreRows(pool: pg.Pool, { tables, sequences }: SavedRows): Promise<void> {
  const client = await pool.connect();
  let isDone = false;
  try {
    const { rows } = await client.query<{ name: string }>(HOLDING, [[...tables.keys()]]);
    const holding = rows.flatMap(({ name }) => tables.get(name) ?? []);
    // Neither triggers nor foreign keys: the rows are as they were together.
    const replica = "set local session_replication_role = replica";
    await client.query(["begin", replica, ...holding, ...sequences, "commit"].join("; "));
    isDone = true;
  } finally {
    // One that failed is in the middle of it.
    client.release(!isDone);
  }
}

/** As `restoreRows`, once and as a restore of a backup that is noticed. */
export async function restoreSavedBackup(database: Database, saved: SavedRows): Promise<void> {
  await restoreRows(database.pool, saved);
  await database.pool.query("drop schema saved cascade");
  await inTransaction(database, markRestored);
}
