import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database.ts";
import shipped from "../catalogue/catalogue.json" with { type: "json" };
import { OperatorError } from "./operator-audit.ts";
import { runOperatorCommand } from "./operator-commands.ts";
import { createSwitches } from "./switches.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
});
afterAll(() => database.drop());

const say = (...words: string[]) =>
  runOperatorCommand(createSwitches(database), (scope) => ["ETH", "eth", "usdt-erc20"].includes(scope), words);

it("an operator stops a part of the service and releases it", async () => {
  expect(await say("status")).toBe("refund-only: off\nnothing is stopped");
  expect(await say("stop", "pay", "usdt-erc20", "from", "a", "check")).toBe(
    "refund-only: off\nstopped: pay usdt-erc20 from (a check)",
  );
  const usdt = { slug: "usdt-erc20", networkTitle: "ETH" };
  expect(await createSwitches(database).stoppedNow("pay", usdt, "from")).toBe("a check");
  expect(await createSwitches(database).stoppedNow("pay", usdt, "to")).toBeNull();
  expect(await say("release", "pay", "usdt-erc20", "from")).toContain("nothing is stopped");
});

it("refund-only mode is switched and listed, and outlives a process", async () => {
  expect(await say("refund-only", "on", "the", "vault", "is", "counted")).toContain(
    "refund-only: on (the vault is counted)",
  );
  expect(await createSwitches(database).refundOnlyNow()).toBe("the vault is counted");
  expect(await say("refund-only", "off")).toContain("refund-only: off");
});

it.each([
  [[], "npm run admin -- status"],
  [["stop", "pay"], "npm run admin -- status"],
  [["stop", "all", "*", "both", "why"], "npm run admin -- status"],
  [["refund-only"], "npm run admin -- status"],
  [["refund-only", "on"], "Say why"],
  [["stop", "pay", "*", "both"], "Say why"],
  [["stop", "pay", "usdc", "both", "why"], "neither a network nor an instrument"],
  [["release", "pay", "*", "both"], "not stopped"],
])("an invalid command changes nothing: %j", async (words, answer) => {
  await expect(say(...words)).rejects.toThrow(answer);
  await expect(say(...words)).rejects.toBeInstanceOf(OperatorError);
  expect(await say("status")).toBe("refund-only: off\nnothing is stopped");
});

const runAdmin = (words: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const program = new URL("../admin-cli.ts", import.meta.url).pathname;
    const options = { env: { PATH: process.env["PATH"] ?? "", ...env } };
    execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, text: stdout + stderr }),
    );
  });

it("npm run admin reaches the database of DATABASE_URL, and fails where there is none", async () => {
  const run = (env: Record<string, string>) => runAdmin(["refund-only", "on", "by", "hand"], env);
  expect(await run({ DATABASE_URL: database.url })).toEqual({
    code: 0,
    text: "refund-only: on (by hand)\nnothing is stopped\n",
  });
  expect(await createSwitches(database).refundOnlyNow()).toBe("by hand");
  const lost = await run({ DATA_DIR: "/nonexistent/wherry" });
  expect(lost).toMatchObject({ code: 1, text: expect.stringContaining("No server runs on") });
}, 60_000);

it("npm run admin blames the connection only for a connection that failed", async () => {
  const away = await runAdmin(["status"], { DATABASE_URL: "postgres://wherry@127.0.0.1:1/wherry" });
  expect(away).toMatchObject({ code: 1, text: expect.stringContaining("The database can't be reached: ") });
  const missing = new URL(database.url);
  missing.pathname = "/no_such_database";
  const other = await runAdmin(["status"], { DATABASE_URL: missing.href });
  expect(other).toEqual({ code: 1, text: 'error: database "no_such_database" does not exist\n' });
}, 60_000);

it("npm run admin takes the networks and instruments of CATALOGUE_FILE", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wherry-admin-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "catalogue.json");
  const instruments = shipped.instruments.map((one) => (one.slug === "dai-erc20" ? { ...one, slug: "dai-own" } : one));
  await writeFile(file, JSON.stringify({ ...shipped, instruments }));
  const stop = (slug: string, env: Record<string, string>) =>
    runAdmin(["stop", "pay", slug, "both", "drift"], { DATABASE_URL: database.url, ...env });
  expect(await stop("dai-own", { CATALOGUE_FILE: file })).toMatchObject({
    code: 0,
    text: expect.stringContaining("dai-own"),
  });
  const unknown = { code: 1, text: expect.stringContaining("neither a network nor an instrument") };
  expect(await stop("dai-erc20", { CATALOGUE_FILE: file })).toMatchObject(unknown);
  expect(await stop("dai-own", {})).toMatchObject(unknown);
}, 60_000);
