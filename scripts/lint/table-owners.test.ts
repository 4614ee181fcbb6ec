import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isTest } from "./import-rules.ts";
import { OTHER_WRITERS, TABLE_OWNERS, tablesWrittenBy } from "./table-owners.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string): string => readFileSync(`${ROOT}${file}`, "utf8");

const CHANGED =
  /\bcreate (?:unlogged )?table (?:if not exists )?([a-z_]+)|\balter table (?:if exists )?([a-z_]+) rename to ([a-z_]+)|\bdrop table (?:if exists )?([a-z_]+(?:, [a-z_]+)*)/gi;
/** The tables that the migrations leave. */
function migratedTables(): Set<string> {
  const folder = `${ROOT}server/db/migrations/`;
  const found = new Set<string>();
  for (const file of readdirSync(folder).sort()) {
    const statements = readFileSync(`${folder}${file}`, "utf8").replace(/--.*$/gm, "");
    for (const [, made, renamed, name, dropped] of statements.matchAll(CHANGED)) {
      if (made !== undefined) found.add(made);
      if (renamed !== undefined) found.delete(renamed);
      if (name !== undefined) found.add(name);
      for (const table of dropped?.split(", ") ?? []) found.delete(table);
    }
  }
  return found;
}
const tables = migratedTables();

const files = execFileSync("git", ["ls-files", "--", "server"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => file.endsWith(".ts") && !isTest(file) && !file.includes("/testing/"));
const areaOf = (file: string): string => file.split("/").slice(1, -1)[0] ?? "a composition root";
const writes = files.flatMap((file) =>
  [...tablesWrittenBy(read(file), tables)].map((table) => ({ file, table, area: areaOf(file) })),
);

it("every table has one area that writes it", () => {
  expect(writes.length).toBeGreaterThan(100);
  expect([...tables].sort()).toEqual(Object.keys(TABLE_OWNERS).sort());
});

it("only an area that is named for it writes another's table", () => {
  const wrong = writes.filter(
    ({ table, area }) => TABLE_OWNERS[table] !== area && OTHER_WRITERS[table]?.[area] === undefined,
  );
  expect(wrong.map(({ file, table }) => `${file} writes ${table} of ${TABLE_OWNERS[table]}`)).toEqual([]);
});

it("no exception is left that nothing needs", () => {
  const named = Object.entries(OTHER_WRITERS).flatMap(([table, areas]) =>
    Object.keys(areas).map((area) => ({ table, area })),
  );
  const idle = named.filter((one) => !writes.some(({ table, area }) => table === one.table && area === one.area));
  expect(idle).toEqual([]);
});

it.each([
  ['db.updateTable("orders").set({})', ["orders"]],
  ["sql`insert into payouts (id) values (1)`", ["payouts"]],
  ["sql`delete\n  from settings where true`", ["settings"]],
  ["sql`select 1 from orders for update skip locked`", []],
  ["sql`insert into nothing of ours`", []],
])("a write is found: %s", (source, found) => expect([...tablesWrittenBy(source, tables)]).toEqual(found));
