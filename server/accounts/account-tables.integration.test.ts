import { expect, test } from "vitest";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { ACCOUNT_TABLES } from "./account-tables.ts";

test("each table that names an account says what becomes of its rows when the account is joined or deleted", async () => {
  await using database = await freshDatabase();
  const { rows } = await database.pool.query<{ name: string }>(`
    select c.conrelid::regclass::text as name from pg_constraint c
    where c.contype = 'f' and c.confrelid = 'public.users'::regclass
    union
    select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name ~ '(^|_)user_id$'`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(ACCOUNT_TABLES).toSorted());
});
