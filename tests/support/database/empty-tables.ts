import type pg from "pg";

const REFERRING = `
  with recursive emptied (id) as (
    select name::regclass::oid from unnest($1::text[]) name
    union
    select c.conrelid from pg_constraint c join emptied on c.confrelid = emptied.id where c.contype = 'f'
  )
  select format('delete from %s', id::regclass) as statement from emptied`;

/**
 * Deletes the rows of these tables and of every table that refers to them. `truncate` makes new files for each of their tables and indexes,
 * however few rows they hold: 100 ms of a processor for everything that refers to a user, against 2 ms.
 */
export async function emptyTables(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(REFERRING, [tables]);
  const deletes = rows.map(({ statement }) => statement);
  // Neither triggers nor foreign keys: nothing that refers to a deleted row stays.
  await pool.query(["begin", "set local session_replication_role = replica", ...deletes, "commit"].join("; "));
}
