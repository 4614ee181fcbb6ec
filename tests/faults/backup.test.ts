import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../scripts/lib/free-port.ts";
import { POSTGRES, requirePrograms } from "../../scripts/lib/programs.ts";
import { restoreBackup, writeBackup } from "../../server/db/backup/backup.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { foldedEmail } from "../../server/base/folded-email.ts";
import { migrate } from "../../server/db/migrate.ts";
import { noticeRestore } from "../../server/db/backup/restored.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { eventually } from "../support/eventually.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

let folder: string;
let database: TestDatabase;
let dump: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-backup-"));
  dump = join(folder, "backup.gz");
  database = await freshDatabase();
  const swap = await FaultySwap.over(database);
  await swap.open({ userEmail: "a@example.com" });
  swap.pay();
  await swap.blocks(8);
  await database.kysely
    .insertInto("settings")
    .values({ key: "odd", value: JSON.stringify({ text: 'line\nbreak "quoted" \\ =\u2028' }) })
    .execute();
  await writeBackup(database, dump);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const emptyDatabase = async (): Promise<TestDatabase> => {
  const empty = await freshDatabase({ empty: true });
  onTestFinished(() => empty.drop());
  return empty;
};

/** Every row of every table, as PostgreSQL writes it. */
async function everything(of: Database): Promise<Record<string, unknown>> {
  const { rows: tables } = await of.pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by 1",
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables)
    found[name] = (
      await of.pool.query(`select row_to_json(t)::text as row from "${name}" t order by row_to_json(t)::text`)
    ).rows;
  return found;
}

describe("a backup", () => {
  it("contains every row, to the last digit", async () => {
    const restored = await emptyDatabase();
    await restoreBackup(restored, dump);
    expect(await everything(restored)).toEqual(await everything(database));
  });

  it("keeps the checks of the database, and numbers that no row has yet", async () => {
    const restored = await emptyDatabase();
    await restoreBackup(restored, dump);
    const entry =
      "insert into ledger_entries (transfer_id, account_id, amount) select transfer_id, account_id, 1 from ledger_entries limit 1";
    await expect(restored.pool.query(entry)).rejects.toThrow();
    await expect(restored.pool.query("delete from order_events")).rejects.toThrow("append-only");
    await expect(
      restored.pool.query(
        "insert into order_events select 'A' || repeat('b', 30), seq, kind, data, at from order_events limit 1",
      ),
    ).rejects.toThrow("foreign key");
    const made = await restored.kysely
      .insertInto("users")
      .values({ telegram_id: 7n })
      .returning("id")
      .executeTakeFirstOrThrow();
    expect(made.id).toBeGreaterThan(0n);
  });

  it.each([
    ["that is cut off", (lines: string[]) => lines.slice(0, -1), "its end is missing"],
    [
      "that lost a row",
      (lines: string[]) => lines.filter((line) => !line.startsWith('={"network":"ETH","height":3')),
      "should hold",
    ],
    ["that is something else", () => ["{}"], "is no backup"],
  ])("is refused %s, and changes nothing", async (_, spoil, message) => {
    const lines = gunzipSync(readFileSync(dump)).toString().trimEnd().split("\n");
    const spoilt = join(folder, "spoilt.gz");
    writeFileSync(spoilt, gzipSync(`${spoil(lines).join("\n")}\n`));
    const restored = await emptyDatabase();
    await migrate(restored);
    await expect(restoreBackup(restored, spoilt)).rejects.toThrow(message);
    expect(await restored.kysely.selectFrom("orders").select("id").execute()).toEqual([]);
  });

  it("is refused where there is no such file, or one that is not packed", async () => {
    const restored = await emptyDatabase();
    const plain = join(folder, "plain");
    writeFileSync(plain, "{}");
    for (const file of [join(folder, "missing.gz"), plain])
      await expect(restoreBackup(restored, file)).rejects.toThrow(`${file} can't be read`);
  });

  it("never replaces orders", async () => {
    await expect(restoreBackup(database, dump)).rejects.toThrow("holds orders already");
  });
});

describe("Debian's PostgreSQL", () => {
  it("runs the exchange, and its pg_dump and pg_restore are noticed as a restore", async () => {
    const { url, bin } = await startDebianPostgres();
    const open = (name: string) => {
      const opened = openDatabase(`${url}/${name}`, { max: 3, log: database.log, applicationName: "test" });
      onTestFinished(() => opened.close());
      return opened;
    };
    const admin = open("postgres");
    await admin.pool.query("create database one");
    const one = open("one");
    await migrate(one);
    // Its letters are ICU's, those of newer ones PostgreSQL's own.
    const emails = [
      "\u0418\u0432\u0430\u043d@x",
      "mar\u212a@x",
      "\u0130bo@x",
      "\u0391\u03a3@x",
      "\u03b1\u03c2@x",
      "\u00dcrsula@x",
    ];
    const { rows } = await one.pool.query<{ folded: string }>(
      "select folded_email(e) as folded from unnest($1::text[]) e",
      [emails],
    );
    expect(rows.map(({ folded }) => folded)).toEqual(emails.map(foldedEmail));
    await noticeRestore(one, database.log);
    const swap = await FaultySwap.over(one);
    await swap.open();
    swap.pay();
    await swap.blocks(8);
    await swap.expectLawful();
    const file = join(folder, "debian.dump");
    execFileSync(join(bin, "pg_dump"), ["-Fc", "-f", file, `${url}/one`]);
    await admin.pool.query("create database two");
    execFileSync(join(bin, "pg_restore"), ["-d", `${url}/two`, file]);
    const two = open("two");
    expect(await migrate(two)).toEqual([]);
    expect(await everything(two)).toEqual(await everything(one));
    expect(await noticeRestore(one, database.log)).toBe(false);
    expect(await noticeRestore(two, database.log)).toBe(true);
  });
});

/** A cluster of its own, as its own user: PostgreSQL refuses to run as root. */
async function startDebianPostgres(): Promise<{ url: string; bin: string }> {
  const [program = ""] = requirePrograms([POSTGRES]);
  const bin = join(program, "..");
  const data = mkdtempSync(join(tmpdir(), "wherry-debian-"));
  const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const options = { ...user, env: { PATH: bin, LC_ALL: "C.UTF-8" }, stdio: "ignore" as const };
  execFileSync(join(bin, "initdb"), ["-D", join(data, "cluster"), "-U", "wherry", "-A", "trust", "-N"], options);
  const port = await freePort();
  const settings = ["-p", `${port}`, "-h", "127.0.0.1", "-k", data, "-c", "fsync=off"];
  const server = spawn(program, ["-D", join(data, "cluster"), ...settings], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  for (const output of [server.stdout, server.stderr]) output.on("data", (chunk) => printed.push(String(chunk)));
  onTestFinished(async () => {
    server.kill("SIGINT");
    if (server.exitCode === null) await once(server, "exit");
    await rm(data, { recursive: true });
  });
  const url = `postgres://wherry@127.0.0.1:${port}`;
  await eventually("the server answers", async () => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL has ended:\n${printed.join("")}`);
    const probe = openDatabase(`${url}/postgres`, { max: 1, log: database.log, applicationName: "probe" });
    const [answer] = await Promise.allSettled([probe.pool.query("select 1")]);
    await probe.close();
    return answer.status === "fulfilled" ? true : null;
  });
  return { url, bin };
}

const idOf = (which: "-u" | "-g"): number => Number(execFileSync("id", [which, "postgres"]).toString());
