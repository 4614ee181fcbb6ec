import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { freshDatabase, type TestDatabase } from "../tests/support/database/database.ts";
import shipped from "./catalogue/catalogue.json" with { type: "json" };
import { writeBackup } from "./db/backup/backup.ts";
import { storeTokenContracts } from "./db/token-contracts.ts";
import { createSwitches } from "./treasury/balances/switches.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
});
afterAll(() => database.drop());

const runAdmin = (words: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const program = new URL("./admin-cli.ts", import.meta.url).pathname;
    const options = { env: { PATH: process.env["PATH"] ?? "", ...env } };
    execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, text: stdout + stderr }),
    );
  });

it("npm run admin reaches the database of DATABASE_URL, and fails where there is none", async () => {
  const run = (env: Record<string, string>) => runAdmin(["refund-only", "on", "by", "hand", "--as", "ann"], env);
  expect(await run({ DATABASE_URL: database.url })).toEqual({
    code: 0,
    text: expect.stringMatching(/^refund-only: on \(by hand\), by ann since .+ UTC\nnothing else is stopped\n$/),
  });
  expect(await createSwitches(database).refundOnlyNow()).toBe("by hand");
  const lost = await run({ DATA_DIR: "/nonexistent/wherry" });
  expect(lost).toMatchObject({ code: 1, text: expect.stringContaining("No server runs on") });
}, 60_000);

it("npm run admin takes new keys on in a restored database that no server can start on without them", async () => {
  // Run by root, PostgreSQL steps down to another user.
  const folder = await mkdtemp(join(tmpdir(), "wherry-restored-"));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const identity = { network: "ETH", chain: "eip155:1", keys: "those of another seed phrase" };
  await database.kysely.insertInto("network_identities").values(identity).execute();
  const file = join(folder, "backup");
  await writeBackup(database, file);
  const env = { DATA_DIR: join(folder, "data") };
  expect(await runAdmin(["restore", file], env)).toMatchObject({ code: 0 });
  const accept = ["accept-keys", "ETH", "a", "new", "phrase", "--as", "ann"];
  expect(await runAdmin(accept, env)).toEqual({
    code: 0,
    text: "The next start stores the chain and keys of ETH that it is configured with.\n",
  });
  expect(await runAdmin(accept, env)).toMatchObject({ code: 1, text: "No keys of ETH are known.\n" });
}, 120_000);

it("npm run admin lists the commands of all areas: asked for help, and given none that it knows", async () => {
  const commands = [
    "status",
    "held",
    "refund release",
    "exchange retry",
    "card close",
    "archive",
    "rescan",
    "blacklist list",
    "withdrawal list",
    "accrual approve",
    "adjust",
    "account",
    "second-factor-key",
    "grant",
  ];
  for (const [words, code] of [
    [["help"], 0],
    [["--help"], 0],
    [["hlep"], 1],
  ] as const) {
    const answer = await runAdmin(words, { DATABASE_URL: database.url });
    expect(answer.code).toBe(code);
    for (const command of [...commands, "verification list"]) expect(answer.text).toContain(`admin -- ${command}`);
  }
}, 60_000);

it("npm run admin names the commands for one that it doesn't know, also where no database is", async () => {
  for (const words of [["foo"], ["foo", "--bar"], []]) {
    const { code, text } = await runAdmin(words, { DATA_DIR: "/nonexistent/wherry" });
    expect(code).toBe(1);
    expect(text).toContain("npm run admin -- held\n");
    expect(text.startsWith("There is no command foo.\n")).toBe(words.length > 0);
  }
}, 60_000);

it("npm run admin writes a backup over no file that is there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wherry-backup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "backup");
  await writeFile(file, "an older backup");
  expect(await runAdmin(["backup", file], { DATABASE_URL: database.url })).toEqual({
    code: 1,
    text: `${file} is there already: name another file, or move it away.\n`,
  });
  expect(await readFile(file, "utf8")).toBe("an older backup");
  expect(await readdir(folder)).toEqual(["backup"]);
}, 60_000);

it("npm run admin explains that a backup can't be written", async () => {
  const env = { DATABASE_URL: database.url };
  expect(await runAdmin(["backup", "/nowhere/x"], env)).toEqual({
    code: 1,
    text: "The backup can't be written to /nowhere/x: there is no such folder.\n",
  });
}, 60_000);

it("npm run admin blames the connection only for a connection that failed", async () => {
  const away = await runAdmin(["status"], { DATABASE_URL: "postgres://wherry@127.0.0.1:1/wherry" });
  expect(away).toMatchObject({ code: 1, text: expect.stringContaining("The database can't be reached: ") });
  const missing = new URL(database.url);
  missing.pathname = "/no_such_database";
  const other = await runAdmin(["status"], { DATABASE_URL: missing.href });
  expect(other).toEqual({ code: 1, text: 'error: database "no_such_database" does not exist\n' });
}, 60_000);

it("npm run admin knows the token contracts of the workers' node: nothing is sent there", async () => {
  const contract = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
  await database.pool.query(`insert into deposits
    (network, tx_id, output_index, address, slug, amount, block_height, block_hash, review_reason, detected_at)
    values ('ETH', 'held', 0, 'nowhere', 'usdt-erc20', 5, 1, 'h', 'no_order_has_its_memo', now())`);
  const refund = () =>
    runAdmin(["deposit", "refund", "1", "a test", "--as", "ann", "--to", contract], {
      DATABASE_URL: database.url,
      SANDBOX: "on",
    });
  await storeTokenContracts(database, new Map([["usdt-erc20", contract]]));
  expect(await refund()).toMatchObject({ code: 1, text: expect.stringContaining("a token's contract") });
  await storeTokenContracts(database, new Map());
  expect(await refund()).toMatchObject({ code: 0 });
}, 60_000);

it("npm run admin takes the networks and instruments of CATALOGUE_FILE", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wherry-admin-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "catalogue.json");
  const instruments = shipped.instruments.map((one) => (one.slug === "dai-erc20" ? { ...one, slug: "dai-own" } : one));
  await writeFile(file, JSON.stringify({ ...shipped, instruments }));
  const stop = (slug: string, env: Record<string, string>) =>
    runAdmin(["stop", "pay", slug, "both", "drift", "--as", "ann"], { DATABASE_URL: database.url, ...env });
  expect(await stop("dai-own", { CATALOGUE_FILE: file })).toMatchObject({
    code: 0,
    text: expect.stringContaining("dai-own"),
  });
  const unknown = { code: 1, text: expect.stringContaining("neither a network nor an instrument") };
  expect(await stop("dai-erc20", { CATALOGUE_FILE: file })).toMatchObject(unknown);
  expect(await stop("dai-own", {})).toMatchObject(unknown);
}, 60_000);

it("npm run admin writes out what a terminal would obey, whoever has written it", async () => {
  const stop = { action: "pay", scope: "usdt-erc20", direction: "from" } as const;
  await createSwitches(database).stop({ ...stop, reason: "a node said \u001B[2J\u202Efine" });
  const { text } = await runAdmin(["status"], { DATABASE_URL: database.url });
  await createSwitches(database).release(stop);
  expect(text).toContain("a node said \\u{1b}[2J\\u{202e}fine");
});
