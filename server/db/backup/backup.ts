import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import * as z from "zod";
import { StartupError } from "../../base/processes/startup-error.ts";
import type { Database } from "../database.ts";
import { migrate } from "../migrate.ts";

/** A file that is no backup, or a database that can't take it; the message says what to do. */
class BackupError extends StartupError {
  override name = "BackupError";
}

const FORMAT = "wherry backup 1";
const ROWS_AT_ONCE = 500;
/** Of a table whose rows hold photos: a few of them are tens of megabytes. */
const LARGE_ROWS_AT_ONCE = 8;
const CHARACTERS_AT_ONCE = 16_000_000;

const headerSchema = z.object({
  format: z.literal(FORMAT),
  takenAt: z.string(),
  migrations: z.array(z.string()).min(1),
  sequences: z.record(z.string(), z.string()),
});
const tableSchema = z.object({ table: z.string().regex(/^[a-z_]+$/), columns: z.array(z.string()) });
const endSchema = z.object({ rows: z.int() });

/**
 * Writes everything of a database as it is at one moment, while it is in use: gzip, a JSON line for the header, for each table, for each
 * of its rows as PostgreSQL writes it, and for the end. Returns the number of rows. The file appears when it is complete. Throws `BackupError` where there is a file of that name: it may be the only older backup.
 */
export async function writeBackup(database: Database, file: string): Promise<number> {
  if (existsSync(file)) throw new BackupError(`${file} is there already: name another file, or move it away.`);
  const client = await database.pool.connect();
  const partial = `${file}.part`;
  const count = { rows: 0 };
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query("set local statement_timeout = 0");
    await pipeline(Readable.from(linesOf(client, count)), createGzip(), createWriteStream(partial, { mode: 0o600 }));
    await client.query("commit");
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    // It ends the transaction where that failed.
    client.release(true);
  }
  await rename(partial, file);
  return count.rows;
}

async function* linesOf(client: pg.PoolClient, count: { rows: number }): AsyncGenerator<string> {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  const migrations = await client.query<{ name: string }>("select name from kysely_migration order by name");
  const sequences = await client.query<{ name: string; last: string }>(
    "select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' and last_value is not null",
  );
  yield line({
    format: FORMAT,
    takenAt: new Date().toISOString(),
    migrations: migrations.rows.map(({ name }) => name),
    sequences: Object.fromEntries(sequences.rows.map(({ name, last }) => [name, last])),
  });
  for (const { table, columns, hasLargeRows } of await tablesOf(client)) {
    const rowsAtOnce = hasLargeRows ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE;
    yield line({ table, columns });
    await client.query(`declare backup_rows cursor for select row_to_json(t)::text as row from "${table}" t`);
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${rowsAtOnce} from backup_rows`);
      if (rows.length === 0) break;
      count.rows += rows.length;
      // As PostgreSQL wrote it: a number of 78 digits would not survive JavaScript.
      for (const { row } of rows) yield `=${row.replaceAll("\n", " ")}\n`;
    }
    await client.query("close backup_rows");
  }
  yield line({ rows: count.rows });
}

type Table = { table: string; columns: string[]; hasLargeRows: boolean };

/** Large rows are those of tables with a column that is kept apart, uncompressed. */
async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns, bool_or(a.attstorage = 'e') as "hasLargeRows"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relname not like 'kysely\\_%' group by c.relname order by c.relname`);
  return rows;
}

/**
 * Fills an empty database with a backup, as one transaction. Triggers rest meanwhile: what they check and sum is in the backup itself.
 * Throws `BackupError` for a file that is cut off or of a newer version, and for a database that holds orders.
 */
export async function restoreBackup(database: Database, file: string): Promise<number> {
  const lines = linesIn(file);
  const header = parse(headerSchema, (await lines.next()).value, "is no backup");
  await migrate(database, { until: header.migrations.at(-1) ?? "" });
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("set local statement_timeout = 0");
    if ((await client.query("select 1 from orders limit 1")).rows.length > 0)
      throw new BackupError("The database holds orders already: restore into an empty one.");
    const known = await tablesOf(client);
    await client.query(`truncate ${known.map(({ table }) => `"${table}"`).join(", ")}`);
    const rows = await withoutChecks(client, known, () =>
      load(client, lines, new Map(known.map(({ table, columns }) => [table, columns]))),
    );
    for (const [name, last] of Object.entries(header.sequences))
      await client.query("select setval($1::text::regclass, $2::bigint)", [name, last]);
    await client.query("commit");
    return rows;
  } finally {
    client.release(true);
  }
}

/** Rests triggers, and takes references away until all rows are there: they are checked when they come back. */
async function withoutChecks<T>(
  client: pg.PoolClient,
  tables: readonly { table: string }[],
  work: () => Promise<T>,
): Promise<T> {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint "${name}"`);
  for (const { table } of tables) await client.query(`alter table "${table}" disable trigger user`);
  const done = await work();
  for (const { table } of tables) await client.query(`alter table "${table}" enable trigger user`);
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint "${name}" ${definition}`);
  return done;
}

async function load(
  client: pg.PoolClient,
  lines: AsyncGenerator<string, undefined>,
  known: ReadonlyMap<string, readonly string[]>,
): Promise<number> {
  let table: string | null = null;
  let batch: string[] = [];
  let characters = 0;
  let loaded = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const columns = known.get(table ?? "");
    if (columns === undefined) throw new BackupError(`The backup has a table that this version doesn't know: ${table}`);
    const names = columns.map((column) => `"${column}"`).join(", ");
    await client.query(
      `insert into "${table}" (${names}) overriding system value
       select ${names} from unnest($1::text[]) as line cross join lateral json_populate_record(null::"${table}", line::json)`,
      [batch],
    );
    loaded += batch.length;
    batch = [];
    characters = 0;
  };
  for await (const line of lines) {
    if (line.startsWith("=")) {
      batch.push(line.slice(1));
      characters += line.length;
      if (batch.length === ROWS_AT_ONCE || characters > CHARACTERS_AT_ONCE) await flush();
      continue;
    }
    await flush();
    const end = endSchema.safeParse(JSON.parse(line));
    if (!end.success) table = parse(tableSchema, line, "is damaged").table;
    else if (end.data.rows === loaded) return loaded;
    else throw new BackupError(`The backup should hold ${end.data.rows} rows and holds ${loaded}.`);
  }
  throw new BackupError("The backup is cut off: its end is missing.");
}

/** Not by `readline`, which also ends lines at separators that a row's text may hold. */
async function* linesIn(file: string): AsyncGenerator<string, undefined> {
  const read = createReadStream(file);
  const text = createGunzip().setEncoding("utf8");
  // `pipe` alone leaves the file's own failure to nobody.
  read.once("error", (error) => text.destroy(error));
  read.pipe(text);
  let rest = "";
  try {
    for await (const chunk of text) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    throw new BackupError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (rest !== "") yield rest;
  return undefined;
}

function parse<Parsed>(schema: z.ZodType<Parsed>, line: string | undefined, what: string): Parsed {
  try {
    return schema.parse(JSON.parse(line ?? ""));
  } catch (error) {
    throw new BackupError(`The file ${what}, or was made by a newer version.`, { cause: error });
  }
}
