import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { testApp, TestMarket } from "../../tests/support/http/http-app.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import { inTransaction } from "../db/transaction.ts";
import { apiKeysKey, createAccounts, runAccountCommand } from "./index.ts";

const BY_EMAIL = { email: "ann@mail.example", password: "a long enough phrase" };
const KEY = randomBytes(32);
const OTHER = randomBytes(32);

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() =>
  Promise.all([
    database.empty("users", "sessions"),
    database.pool.query("delete from settings where key = 'api_keys_key'"),
  ]),
);

const market = new TestMarket();
const start = (key: Buffer | null) => inTransaction(database, (transaction) => apiKeysKey.open(transaction, key));
const change = (key: Buffer | null, formerApiKeysKey: Buffer | null = null) =>
  runAccountCommand(
    { database, config: { secondFactorKey: null, formerSecondFactorKey: null, apiKeysKey: key, formerApiKeysKey } },
    ["api-keys-key", "a new key", "--as", "ann"],
  );
const accountsWith = (key: Buffer | null) =>
  createAccounts({ database, clock: { now: () => market.now }, bot: null, areas: [], apiKeysKey: key });

/** An API key that was made while web processes had this key. */
async function made(key: Buffer | null): Promise<{ publicKey: string; secretKey: string }> {
  const app = await testApp(database, { accounts: accountsWith(key), market });
  onTestFinished(() => app.close());
  const browser = new AccountBrowser(app);
  await browser.send("createLocal", BY_EMAIL);
  await browser.send("authenticateLocal", BY_EMAIL);
  const { http, body } = await browser.send("generateApiKey", { name: "shop" });
  expect(http).toBe(201);
  return { publicKey: String(body["publicKey"]), secretKey: String(body["secretKey"]) };
}

test("a start with another key than before, or without it, is refused and says what to do", async () => {
  await made(KEY);
  await expect(start(OTHER)).rejects.toThrow(ConfigError);
  await expect(start(OTHER)).rejects.toThrow(/^API_KEYS_KEY is not the key .*npm run admin -- api-keys-key/);
  await expect(start(null)).rejects.toThrow(/^API_KEYS_KEY is missing/);
  expect(await start(KEY)).toEqual(KEY);
});

test("a start of a database that remembers no key goes by the secrets", async () => {
  await made(KEY);
  for (const wrong of [OTHER, null]) {
    await database.pool.query("delete from settings where key = 'api_keys_key'");
    await expect(start(wrong)).rejects.toThrow(ConfigError);
  }
  expect(await start(KEY)).toEqual(KEY);
});

test("a web process with another key ends with that text", { timeout: 60_000 }, async () => {
  await made(KEY);
  const DATA_DIR = mkdtempSync(join(tmpdir(), "wherry-key-"));
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url, DATA_DIR, ROLES: "web", SANDBOX: "on" };
  const web = promisify(execFile)(process.execPath, ["server/main.ts"], {
    env: { ...env, LOG_LEVEL: "silent", API_KEYS_KEY: OTHER.toString("hex") },
    timeout: 50_000,
  });
  await expect(web).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("API_KEYS_KEY is not the key"),
  });
});

test.each([
  ["the database's own", null],
  ["a configured one", OTHER],
])("the command that changes the key from %s keeps every API key", async (_, former) => {
  const { publicKey, secretKey } = await made(former);
  expect(await change(KEY, former)).toMatch(/^1 secrets are encrypted with API_KEYS_KEY\. 0 can't be read/);
  await expect(start(former)).rejects.toThrow(ConfigError);
  expect(await start(KEY)).toEqual(KEY);
  expect(await accountsWith(KEY).findApiKey(publicKey)).toMatchObject({ secretKey });
  await expect(accountsWith(former).findApiKey(publicKey)).rejects.toThrow(ConfigError);
});

test("the command counts what it can't read, and needs the new key", async () => {
  await made(OTHER);
  await expect(change(null)).rejects.toThrow("Set API_KEYS_KEY");
  expect(await change(KEY)).toMatch(/^0 secrets .* 1 can't be read: their owners make new keys/);
  expect(await start(KEY)).toEqual(KEY);
});
