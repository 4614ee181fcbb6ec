import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { startScript } from "../../tests/support/processes/script-process.ts";
import { DatabaseNewerError, migrate } from "./migrate.ts";

let folder: string;
let database: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-migrations-"));
  database = await freshDatabase({ empty: true });
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function file(name: string, text: string): Promise<void> {
  return writeFile(join(folder, name), text);
}

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%' order by 1
  `.execute(database.kysely);
  return rows.map((row) => row.name);
}

test("files run once, in order, several statements each", async () => {
  await file("0002_legs.sql", "alter table boats add column legs integer; create table oars (id integer);");
  await file("0001_boats.sql", "create table boats (id integer); insert into boats values (1);");
  expect(await migrate(database, { folder })).toEqual(["0001_boats", "0002_legs"]);
  expect(await migrate(database, { folder })).toEqual([]);
  await file("0003_sails.sql", "create table sails (id integer)");
  expect(await migrate(database, { folder })).toEqual(["0003_sails"]);
  expect(await tables()).toEqual(["boats", "oars", "sails"]);
});

test("a failing file undoes its whole run and is named", async () => {
  await file("0001_boats.sql", "create table boats (id integer);");
  await file("0002_broken.sql", "create table oars (id integer); create table boats (id integer);");
  await expect(migrate(database, { folder })).rejects.toThrow(/0002_broken.*already exists/);
  expect(await tables()).toEqual([]);
});

test("a database that a newer version has migrated is refused and left alone", async () => {
  await file("0001_boats.sql", "create table boats (id integer);");
  await file("0002_oars.sql", "create table oars (id integer);");
  await migrate(database, { folder });
  await rm(join(folder, "0002_oars.sql"));
  const attempt = migrate(database, { folder });
  await expect(attempt).rejects.toThrow(DatabaseNewerError);
  await expect(attempt).rejects.toThrow("0002_oars");
  expect(await tables()).toEqual(["boats", "oars"]);
});

test.each([
  ["a name without a number", ["boats.sql"], "not named like a migration"],
  ["two files with one number", ["0001_boats.sql", "0001_oars.sql"], "two migrations have the number 0001"],
])("%s is refused", async (_name, names, message) => {
  for (const name of names) await file(name, "select 1;");
  await expect(migrate(database, { folder })).rejects.toThrow(message);
});

test("a migration may take longer than the limits of the app's own queries, also with another process waiting for it", async () => {
  await file("0001_slow.sql", "create table boats (id integer); select pg_sleep(0.6);");
  const impatient = { ...database, url: `${database.url}?statement_timeout=100&lock_timeout=100` };
  const runs = await Promise.all([migrate(impatient, { folder }), migrate(impatient, { folder })]);
  expect(runs.flat()).toEqual(["0001_slow"]);
});

test("three processes at once on an empty database: each migration runs once and all three go on", async () => {
  const runs = [1, 2, 3].map(() => startScript(migrateScript, [database.url]));
  expect(await Promise.all(runs.map((run) => run.ended))).toEqual([0, 0, 0]);
  const applied = runs.flatMap((run): string[] => JSON.parse(run.lines.join("")));
  expect(applied).toContain("0001_engine");
  expect(new Set(applied).size).toBe(applied.length);
  expect(await tables()).toContain("orders");
});

const migrateScript = `
  import { openDatabase } from "#root/server/db/database.ts";
  import { migrate } from "#root/server/db/migrate.ts";
  import { createLog } from "#root/server/base/logging/log.ts";
  const log = createLog({ level: "silent" });
  const database = openDatabase(process.argv[1], { max: 1, log, applicationName: "migrate-test" });
  const applied = await migrate(database);
  await database.close();
  console.log(JSON.stringify(applied));
`;
