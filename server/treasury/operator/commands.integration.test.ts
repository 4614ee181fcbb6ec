import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { writeBackup } from "../../db/backup/backup.ts";
import { storeTokenContracts } from "../../db/token-contracts.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import shipped from "../../catalogue/catalogue.json" with { type: "json" };
import { OperatorError } from "./audit.ts";
import { runOperatorCommand } from "./commands.ts";
import { createSwitches } from "../balances/switches.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
});
afterAll(() => database.drop());

const say = (...words: string[]) =>
  runOperatorCommand(createSwitches(database), (scope) => ["ETH", "eth", "usdt-erc20"].includes(scope), words);
const actions = () =>
  database.kysely
    .selectFrom("operator_actions")
    .select(["operator", "action", "subject", "reason", "before", "after"])
    .orderBy("id")
    .execute();

it("an operator stops a part of the service and releases it", async () => {
  expect(await say("status")).toBe("refund-only: off\nnothing is stopped");
  expect(await say("stop", "pay", "usdt-erc20", "from", "a", "check", "--as", "ann")).toMatch(
    /^refund-only: off\nstopped: pay usdt-erc20 from \(a check\), by ann since \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
  );
  const usdt = { slug: "usdt-erc20", networkTitle: "ETH" };
  expect(await createSwitches(database).stoppedNow("pay", usdt, "from")).toBe("a check");
  expect(await createSwitches(database).stoppedNow("pay", usdt, "to")).toBeNull();
  expect(await say("release", "pay", "usdt-erc20", "from", "checked", "--as", "bob")).toContain("nothing is stopped");
  expect(await actions()).toEqual([
    {
      operator: "ann",
      action: "stop",
      subject: "pay usdt-erc20 from",
      reason: "a check",
      before: { stopped: null },
      after: { stopped: "a check" },
    },
    {
      operator: "bob",
      action: "release",
      subject: "pay usdt-erc20 from",
      reason: "checked",
      before: { stopped: "a check" },
      after: { stopped: null },
    },
  ]);
});

it("what one operator has stopped is not taken over by another, whose release would end it", async () => {
  const own = await freshDatabase();
  onTestFinished(() => own.drop());
  const say = (text: string) => runOperatorCommand(createSwitches(own), (scope) => scope === "ETH", text.split(" "));
  await say("stop pay ETH both maintenance --as ann");
  await expect(say("stop pay ETH both a check --as bob")).rejects.toThrow("stopped already (maintenance), by ann");
  await expect(say("refund-only off done --as bob")).rejects.toThrow("off already");
  await say("refund-only on counting --as ann");
  await expect(say("refund-only on a check --as bob")).rejects.toThrow("on already (counting), by ann");
  expect(await say("status")).toMatch(
    /^refund-only: on \(counting\), by ann.+\nstopped: pay ETH both \(maintenance\), by ann/,
  );
  const recorded = await own.kysely.selectFrom("operator_actions").select("operator").execute();
  expect(recorded).toEqual([{ operator: "ann" }, { operator: "ann" }]);
});

it("refund-only mode is switched and listed, and outlives a process", async () => {
  expect(await say("refund-only", "on", "the", "vault", "is", "counted", "--as", "ann")).toMatch(
    /^refund-only: on \(the vault is counted\), by ann since \d{4}-\d\d-\d\d \d\d:\d\d UTC\nnothing else is stopped$/,
  );
  expect(await createSwitches(database).refundOnlyNow()).toBe("the vault is counted");
  expect(await say("refund-only", "off", "done", "--as", "ann")).toContain("refund-only: off");
  expect((await actions()).slice(-2)).toMatchObject([
    { action: "refund-only", reason: "the vault is counted", after: { refundOnly: "the vault is counted" } },
    {
      action: "refund-only",
      reason: "done",
      before: { refundOnly: "the vault is counted" },
      after: { refundOnly: null },
    },
  ]);
});

it.each([
  [[], "npm run admin -- status"],
  [["stop", "pay"], "npm run admin -- status"],
  [["stop", "all", "*", "both", "why"], "npm run admin -- status"],
  [["refund-only"], "npm run admin -- status"],
  [["refund-only", "on", "--as", "ann"], "Say why"],
  [["refund-only", "on", "why"], "--as NAME"],
  [["refund-only", "off", "why"], "--as NAME"],
  [["stop", "pay", "*", "both", "--as", "ann"], "Say why"],
  [["stop", "pay", "*", "both", "why"], "--as NAME"],
  [["stop", "pay", "usdc", "both", "why", "--as", "ann"], "neither a network nor an instrument"],
  [["release", "pay", "*", "both", "why"], "--as NAME"],
  [["release", "pay", "*", "both", "why", "--as", "ann"], "not stopped"],
])("an invalid command changes nothing: %j", async (words, answer) => {
  await expect(say(...words)).rejects.toThrow(answer);
  await expect(say(...words)).rejects.toBeInstanceOf(OperatorError);
  expect(await say("status")).toBe("refund-only: off\nnothing is stopped");
  expect(await actions()).toHaveLength(4);
});

const runAdmin = (words: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const program = new URL("../../admin-cli.ts", import.meta.url).pathname;
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

it("npm run admin says in its own words that a backup can't be written", async () => {
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
