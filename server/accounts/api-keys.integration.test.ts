import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_API_KEYS } from "#contract/accounts/api-keys.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { AccountMails } from "../../tests/support/services/account-mails.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { createAccounts } from "./accounts.ts";

const PASSWORD = "a long enough phrase";
const ANN = "ann@mail.example";
const BOB = "bob@mail.example";

let database: TestDatabase;
let mails: AccountMails;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  mails = await new AccountMails(database).start();
  app = await testApp(database);
});
afterAll(async () => {
  await app.close();
  await mails[Symbol.asyncDispose]();
  await database.drop();
});
beforeEach(async () => {
  await database.empty("users", "sessions", "failed_attempts");
  mails.sink.caught.length = 0;
});

async function signedIn(email = ANN): Promise<AccountBrowser> {
  const browser = new AccountBrowser(app);
  await browser.send("createLocal", { email, password: PASSWORD });
  expect(await browser.send("authenticateLocal", { email, password: PASSWORD })).toMatchObject({ http: 200 });
  return browser;
}

const made = async (browser: AccountBrowser, name = "Shop checkout", whiteListIp = "") => {
  const answer = await browser.send("generateApiKey", { name, whiteListIp });
  expect(answer).toMatchObject({ http: 201 });
  return answer.body as { apiId: string; publicKey: string; secretKey: string };
};

/** A list is no object: read as the rows that it holds. */
const listed = async (browser: AccountBrowser) => {
  const { http, body } = await browser.send("listApiKeys");
  expect(http).toBe(200);
  return Object.values(body) as Record<string, unknown>[];
};

/** What the partner API checks signatures with. */
const found = (publicKey: string, apiKeysKey: Buffer | null = null) =>
  createAccounts({ database, clock: { now: () => app.market.now }, bot: null, areas: [], apiKeysKey }).findApiKey(
    publicKey,
  );

describe("an API key", () => {
  test("is made with its secret, which no other answer, row or mail contains", async () => {
    const browser = await signedIn();
    const key = await made(browser, "  Shop checkout ", " 185.12.44.0/24 , 2001:db8::1 ");
    expect(key).toEqual({
      apiId: expect.any(String),
      publicKey: expect.stringMatching(/^wk_[0-9a-f]{32}$/),
      secretKey: expect.stringMatching(/^ws_[\w-]{43}$/),
      name: "Shop checkout",
      whiteListIp: "185.12.44.0/24,2001:db8::1",
      isActive: true,
    });
    expect(await listed(browser)).toEqual([
      {
        apiId: key.apiId,
        publicKey: key.publicKey,
        name: "Shop checkout",
        whiteListIp: "185.12.44.0/24,2001:db8::1",
        isActive: true,
        createdAt: app.market.now.toISOString(),
        lastUsedAt: null,
      },
    ]);
    const { rows } = await database.pool.query<{ secret: Buffer; all: string }>(
      "select secret, k::text as all from api_keys k",
    );
    expect(rows[0]?.secret.includes(key.secretKey)).toBe(false);
    expect(rows[0]?.all).not.toContain(key.secretKey);
    await mails.subject(ANN, /^Subject: A new API key was made/m);
  });

  test("has a secret that can be read to check signatures, with its own key alone", async () => {
    const browser = await signedIn();
    const { publicKey, secretKey } = await made(browser, "one", "185.12.44.7");
    expect(await found(publicKey)).toMatchObject({ userId: expect.any(BigInt), secretKey, whiteListIp: "185.12.44.7" });
    expect(await found("wk_unknown")).toBeNull();
    await expect(found(publicKey, Buffer.alloc(32))).rejects.toThrow();

    const other = await made(browser, "two");
    const reader = createAccounts({ database, clock: { now: () => app.market.now }, bot: null, areas: [] });
    expect(await reader.findApiKey(publicKey)).toMatchObject({ secretKey });
    await database.pool.query("update api_keys set secret = (select secret from api_keys where public_key = $1)", [
      publicKey,
    ]);
    // The secret of another row does not open this one.
    await expect(reader.findApiKey(other.publicKey)).rejects.toThrow();
  });

  test("takes a fresh sign-in", async () => {
    const browser = await signedIn();
    const { apiId } = await made(browser);
    app.market.advance(601);
    expect(await browser.send("generateApiKey", { name: "two" })).toMatchObject({
      http: 403,
      body: { status: "ERR_FORBIDDEN", data: { reauthenticate: true } },
    });
    expect(await browser.send("deleteApiKey", { apiId })).toMatchObject({ http: 200 });
    await browser.send("reauthenticate", { password: PASSWORD });
    await made(browser, "two");
  });

  test("opens no further than before without a fresh sign-in, and is renamed and switched off", async () => {
    const browser = await signedIn();
    const { apiId, publicKey } = await made(browser, "Shop", "10.0.0.0/8, 2001:db8::1");
    const as = { apiId, name: "Shop", whiteListIp: "10.0.0.0/8,2001:db8::1", isActive: true };
    app.market.advance(601);
    const asks = { http: 403, body: { status: "ERR_FORBIDDEN", data: { reauthenticate: true } } };
    for (const whiteListIp of ["", "0.0.0.0/0", "10.0.0.0/8", "10.0.0.0/8,2001:db8::1,192.0.2.1"])
      expect(await browser.send("updateApiKey", { ...as, whiteListIp })).toMatchObject(asks);
    expect(await found(publicKey)).toMatchObject({ whiteListIp: as.whiteListIp });
    const spaced = { ...as, name: "Stolen?", whiteListIp: " 10.0.0.0/8 , 2001:db8::1 ", isActive: false };
    expect(await browser.send("updateApiKey", spaced)).toMatchObject({ http: 200 });
    expect(await browser.send("updateApiKey", as)).toMatchObject(asks);
    expect(await found(publicKey)).toBeNull();
    await browser.send("reauthenticate", { password: PASSWORD });
    expect(await browser.send("updateApiKey", { ...as, whiteListIp: "" })).toMatchObject({ http: 200 });
    expect(await found(publicKey)).toMatchObject({ whiteListIp: "" });
  });

  test("is not changed by a call that was on its way when its session ended", async () => {
    const browser = await signedIn();
    const { apiId, publicKey } = await made(browser, "Shop", "10.0.0.0/8");
    const { rows } = await database.pool.query<{ id: string; user_id: string }>("select id, user_id from sessions");
    const by = { userId: BigInt(rows[0]?.user_id ?? 0), sessionId: rows[0]?.id ?? "", email: ANN, isFresh: true };
    await browser.send("logOut");
    const keys = createAccounts({ database, clock: { now: () => app.market.now }, bot: null, areas: [] });
    const late = keys.updateApiKey(by, { apiId, name: "Shop", whiteListIp: "", isActive: true });
    await expect(late).rejects.toMatchObject({ code: "ERR_UNAUTHORIZED" });
    expect(await found(publicKey)).toMatchObject({ whiteListIp: "10.0.0.0/8" });
  });

  test("is one of five at most, also when all are asked for at once", async () => {
    const browser = await signedIn();
    const answers = await Promise.all(
      Array.from({ length: MAX_API_KEYS + 3 }, (_, n) => browser.send("generateApiKey", { name: `key ${n}` })),
    );
    expect(answers.filter(({ http }) => http === 201)).toHaveLength(MAX_API_KEYS);
    expect(answers.filter(({ body }) => body["status"] === "ERR_UNPROCESSABLE_ENTITY")).toHaveLength(3);
    const [first] = await listed(browser);
    await browser.send("deleteApiKey", { apiId: String(first?.["apiId"]) });
    await made(browser, "once more");
  });

  test("is renamed, bound to addresses, switched off and deleted", async () => {
    const browser = await signedIn();
    const { apiId, publicKey } = await made(browser);
    const change = { apiId, name: "Test script", whiteListIp: "10.0.0.0/8", isActive: false };
    expect(await browser.send("updateApiKey", change)).toMatchObject({ http: 200, body: { ...change, publicKey } });
    expect(await listed(browser)).toMatchObject([change]);
    expect(await found(publicKey)).toBeNull();
    await browser.send("updateApiKey", { ...change, isActive: true });
    expect(await found(publicKey)).toMatchObject({ whiteListIp: "10.0.0.0/8" });
    expect(await browser.send("deleteApiKey", { apiId })).toMatchObject({ http: 200, body: {} });
    expect(await listed(browser)).toEqual([]);
    expect(await found(publicKey)).toBeNull();
  });

  test("of another account is not there, nor is anything for a guest", async () => {
    const { apiId } = await made(await signedIn());
    const other = await signedIn(BOB);
    expect(await listed(other)).toEqual([]);
    const change = { apiId, name: "mine", whiteListIp: "", isActive: false };
    for (const answer of [
      await other.send("updateApiKey", change),
      await other.send("deleteApiKey", { apiId }),
      await other.send("deleteApiKey", { apiId: "no id" }),
    ])
      expect(answer).toMatchObject({ http: 404, body: { status: "ERR_NOT_FOUND" } });
    const guest = new AccountBrowser(app);
    const refusals = [
      await guest.send("listApiKeys"),
      await guest.send("generateApiKey", { name: "a" }),
      await guest.send("updateApiKey", change),
      await guest.send("deleteApiKey", { apiId }),
    ];
    expect(refusals.map(({ http }) => http)).toEqual([401, 401, 401, 401]);
  });

  test.each([
    [{ name: "  " }, ["name"]],
    [{ name: "x".repeat(65) }, ["name"]],
    [{ name: "a", whiteListIp: "example.com" }, ["whiteListIp"]],
    [{ name: "", whiteListIp: "10.0.0.0/99" }, ["name", "whiteListIp"]],
  ])("of %j is refused, naming each field", async (body, fields) => {
    const answer = await (await signedIn()).send("generateApiKey", body);
    expect(answer).toMatchObject({ http: 400, body: { status: "ERR_VALIDATION" } });
    expect(Object.keys(answer.body["data"] as object)).toEqual(fields);
  });

  test("is in the account's export without its secret, and ends with the account", async () => {
    const browser = await signedIn();
    const { publicKey, secretKey } = await made(browser);
    const { body } = await browser.send("exportAccount");
    expect(body).toMatchObject({ apiKeys: [{ publicKey }] });
    expect(JSON.stringify(body)).not.toContain(secretKey);
    await browser.send("deleteAccount");
    expect((await database.pool.query("select from api_keys")).rowCount).toBe(0);
  });
});
