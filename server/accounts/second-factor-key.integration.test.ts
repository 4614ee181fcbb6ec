import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { BOT_TOKEN, testApp, TestMarket } from "../../tests/support/http/http-app.ts";
import { ConfigError } from "../base/processes/startup-error.ts";
import { inTransaction } from "../db/transaction.ts";
import { createAccounts, runAccountCommand, secondFactorKey } from "./index.ts";

const BY_EMAIL = { email: "ann@mail.example", password: "a long enough phrase" };
const KEY = randomBytes(32);
const OTHER = randomBytes(32);
const WHY = ["second-factor-key", "a new key", "--as", "ann"];

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() =>
  Promise.all([
    database.empty("users", "sessions", "failed_attempts"),
    database.pool.query("delete from settings where key = 'second_factor_key'"),
  ]),
);

const market = new TestMarket();
const start = (key: Buffer | null) => inTransaction(database, (transaction) => secondFactorKey.open(transaction, key));
const change = (key: Buffer | null, formerSecondFactorKey: Buffer | null = null) =>
  runAccountCommand(
    { database, config: { secondFactorKey: key, formerSecondFactorKey, apiKeysKey: null, formerApiKeysKey: null } },
    WHY,
  );

/** A web process that was started with this key. */
async function webWith(key: Buffer | null) {
  const now = () => market.now;
  const accounts = createAccounts({
    database,
    clock: { now },
    realNow: now,
    bot: { token: BOT_TOKEN },
    areas: [],
    secondFactorKey: key,
  });
  const app = await testApp(database, { accounts, market });
  const signIn = async (code: string) =>
    (await new AccountBrowser(app).send("authenticateLocal", { ...BY_EMAIL, code })).http;
  return { app, signIn, [Symbol.asyncDispose]: () => app.close() };
}

/** An account whose second factor was turned on while web processes had this key. */
async function withFactor(key: Buffer | null) {
  await using web = await webWith(key);
  const browser = new AccountBrowser(web.app);
  await browser.send("createLocal", BY_EMAIL);
  await browser.send("authenticateLocal", BY_EMAIL);
  const { secret } = (await browser.send("beginSecondFactor")).body as { secret: string };
  const codeNow = () => {
    market.advance(30);
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: market.now.getTime() });
  };
  const confirmed = await browser.send("confirmSecondFactor", { code: codeNow() });
  expect(confirmed).toMatchObject({ http: 200 });
  return { codeNow, recoveryCodes: confirmed.body["recoveryCodes"] as [string, ...string[]] };
}

const keyRow = async () => {
  const { rows } = await database.pool.query("select value from settings where key = 'second_factor_key'");
  return JSON.stringify(rows);
};

describe("a start", () => {
  test("with another key than before, or without it, is refused and says what to do", async () => {
    await withFactor(KEY);
    await expect(start(OTHER)).rejects.toThrow(ConfigError);
    await expect(start(OTHER)).rejects.toThrow(
      /^SECOND_FACTOR_KEY is not the key .*npm run admin -- second-factor-key/,
    );
    await expect(start(null)).rejects.toThrow(/^SECOND_FACTOR_KEY is missing/);
    expect(await start(KEY)).toEqual(KEY);
    expect(await keyRow()).not.toContain(KEY.toString("hex"));
  });

  test("with a first key is refused while secrets need the database's own, and taken while none does", async () => {
    const stored = await start(null);
    expect(await start(null)).toEqual(stored);
    expect(await start(KEY)).toEqual(KEY);
    expect(await keyRow()).not.toContain(stored.toString("hex"));
    await database.pool.query("delete from settings where key = 'second_factor_key'");

    await withFactor(null);
    await expect(start(KEY)).rejects.toThrow(/^SECOND_FACTOR_KEY is set, but .*npm run admin -- second-factor-key/);
    await start(null);
  });

  test("of a database that remembers no key goes by its secrets", async () => {
    await withFactor(KEY);
    for (const wrong of [OTHER, null]) {
      await database.pool.query("delete from settings where key = 'second_factor_key'");
      await expect(start(wrong)).rejects.toThrow(ConfigError);
    }
    expect(await start(KEY)).toEqual(KEY);
  });

  test("of a web process with another key ends with that text", { timeout: 60_000 }, async () => {
    await withFactor(KEY);
    const DATA_DIR = mkdtempSync(join(tmpdir(), "wherry-key-"));
    onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
    const env = {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: database.url,
      DATA_DIR,
      ROLES: "web",
      LOG_LEVEL: "silent",
    };
    const web = promisify(execFile)(process.execPath, ["server/main.ts"], {
      env: { ...env, SANDBOX: "on", SECOND_FACTOR_KEY: OTHER.toString("hex") },
      timeout: 50_000,
    });
    await expect(web).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("SECOND_FACTOR_KEY is not the key"),
    });
  });

  test("beside another one with another key leaves one of them", async () => {
    const starts = await Promise.allSettled([start(KEY), start(OTHER)]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("a process that runs with another key", () => {
  test("takes recovery codes, and counts no attempt that it could not judge", async () => {
    const { codeNow, recoveryCodes } = await withFactor(KEY);
    await using web = await webWith(OTHER);
    for (let attempt = 1; attempt <= 7; attempt += 1) expect(await web.signIn(codeNow())).toBe(500);
    const { rows } = await database.pool.query<{ failures: number }>("select failures from failed_attempts");
    expect(rows.filter(({ failures }) => failures > 0)).toEqual([]);
    expect(await web.signIn(recoveryCodes[0])).toBe(200);
  });
});

describe("the command that changes the key", () => {
  test.each([
    ["from the database's own", null],
    ["from a configured one", OTHER],
  ])("%s lets everybody in by their apps", async (_, former) => {
    const { codeNow } = await withFactor(former);
    expect(await change(KEY, former)).toMatch(/^1 secrets are encrypted with SECOND_FACTOR_KEY\. 0 can't be read/);
    expect(await start(KEY)).toEqual(KEY);
    await expect(start(former)).rejects.toThrow(ConfigError);
    await using web = await webWith(KEY);
    expect(await web.signIn(codeNow())).toBe(200);
    const { rows } = await database.pool.query(
      "select operator, reason from operator_actions order by id desc limit 1",
    );
    expect(rows).toEqual([{ operator: "ann", reason: "a new key" }]);
  });

  test("without the lost one leaves the way in by recovery codes", async () => {
    const { recoveryCodes } = await withFactor(OTHER);
    expect(await change(KEY)).toMatch(/^0 secrets .* 1 can't be read/);
    expect(await start(KEY)).toEqual(KEY);
    await using web = await webWith(KEY);
    expect(await web.signIn(recoveryCodes[0])).toBe(200);
  });

  test("needs the new key", async () => {
    await expect(change(null)).rejects.toThrow("Set SECOND_FACTOR_KEY");
  });
});
