import { expect, test } from "vitest";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { accountExportSchema } from "#contract/account.ts";
import { ACCOUNT_TABLES, EXPORTED_AS } from "./account-tables.ts";

test("each table that names an account says what becomes of its rows when the account is joined, deleted or first proved", async () => {
  await using database = await freshDatabase();
  const { rows } = await database.pool.query<{ name: string }>(`
    select c.conrelid::regclass::text as name from pg_constraint c
    where c.contype = 'f' and c.confrelid = 'public.users'::regclass
    union
    select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name ~ '(^|_)user_id$'`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(ACCOUNT_TABLES).toSorted());
});

test("each table of an account is in its export, or says why it is left out; no field is of no table", () => {
  expect(Object.keys(EXPORTED_AS).toSorted()).toEqual(Object.keys(ACCOUNT_TABLES).toSorted());
  const fields = Object.values(EXPORTED_AS).filter((one) => typeof one === "string");
  // Of the users' row, of push subscriptions, which belong to sessions, and of the export itself.
  const others = ["exportedAt", "telegramId", "locale", "notifiedBrowsers"];
  expect([...new Set([...fields, ...others])].toSorted()).toEqual(Object.keys(accountExportSchema.shape).toSorted());
});
