import { expect, test } from "vitest";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { accountExportSchema } from "#contract/accounts/account.ts";
import { accountAreas } from "../web-areas.ts";
import { ownRows } from "./account-tables.ts";

const areas = [ownRows, ...accountAreas({ exportOf: async () => [] })];
const tables = areas.flatMap((area) => Object.entries(area.tables));

test("each table that names an account says what becomes of its rows when the account is joined, deleted or first proved", async () => {
  await using database = await freshDatabase();
  const { rows } = await database.pool.query<{ name: string }>(`
    select c.conrelid::regclass::text as name from pg_constraint c
    where c.contype = 'f' and c.confrelid = 'public.users'::regclass
    union
    select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name ~ '(^|_)user_id$'`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(tables.map(([name]) => name).toSorted());
});

test("each table of an account is in its export, or says why it is left out; no field is of no table", () => {
  const fields = tables.flatMap(([, { exported }]) => (typeof exported === "string" ? [exported] : []));
  // Of the users' row, of push subscriptions, which belong to sessions, and of the export itself.
  const others = ["exportedAt", "telegramId", "locale", "notifiedBrowsers"];
  expect([...new Set([...fields, ...others])].toSorted()).toEqual(Object.keys(accountExportSchema.shape).toSorted());
});

test("the export of an empty account has every field: each area adds its own", async () => {
  await using database = await freshDatabase();
  const { rows } = await database.pool.query<{ id: string }>("insert into users (locale) values ('en') returning id");
  const exported: object[] = [];
  for (const area of areas) exported.push((await area.exportRows?.(database.kysely, BigInt(rows[0]?.id ?? ""))) ?? {});
  const given = exported.flatMap((part) => Object.keys(part));
  const own = ["exportedAt", "account", "telegramId", "locale", "sessions", "apiKeys"];
  expect([...given, ...own].toSorted()).toEqual(Object.keys(accountExportSchema.shape).toSorted());
});
