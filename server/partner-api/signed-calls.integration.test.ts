import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { generatedKey, PartnerProgram, signedHeaders } from "../../tests/support/http/partner-program.ts";
import { createUsedSignatures } from "./signing/used-signatures.ts";

const PASSWORD = "a long enough phrase";
const BALANCES = "/api/v2/partner/balances";
const INSTRUMENTS = "/api/v2/partner/instruments";

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => database.empty("users", "sessions", "failed_attempts", "used_signatures"));

async function signedIn(email = "ann@mail.example", on = app): Promise<AccountBrowser> {
  const browser = new AccountBrowser(on);
  await browser.send("createLocal", { email, password: PASSWORD });
  await browser.send("authenticateLocal", { email, password: PASSWORD });
  return browser;
}
const program = async (whiteListIp = "", on = app) =>
  new PartnerProgram(on, await generatedKey(await signedIn("ann@mail.example", on), whiteListIp));

describe("a signed call", () => {
  test("is answered in both versions, and notes when its key was used", async () => {
    const browser = await signedIn();
    const shop = new PartnerProgram(app, await generatedKey(browser));
    for (const version of [1, 2] as const)
      expect(await shop.send("GET", BALANCES, { version })).toMatchObject({
        http: 200,
        body: [{ currencyTitle: "USDT", balance: "0" }],
      });

    const [listed] = Object.values((await browser.send("listApiKeys")).body) as { lastUsedAt: string }[];
    expect(listed?.lastUsedAt).toBe(app.market.now.toISOString());
  });

  test("names chains and assets as other systems do", async () => {
    const shop = await program();
    const { body } = await shop.send("GET", INSTRUMENTS);
    const bySlug = new Map(
      (Object.values(body) as { slug: string }[]).map(({ slug, ...instrument }) => [slug, instrument]),
    );
    expect(bySlug.get("usdt-erc20")).toMatchObject({
      chainId: "eip155:1",
      assetId: "eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7",
    });
    expect([...bySlug.values()].every((one) => "assetId" in one && one.assetId !== null)).toBe(true);
    expect(bySlug.has("usd")).toBe(false);
  });

  test("without a right signature is one and the same ERR_UNAUTHORIZED, before anything of it is read", async () => {
    const shop = await program();
    const answers = [
      await app.inject({ url: BALANCES }),
      await app.inject({ url: BALANCES, headers: { "x-api-public-key": shop.key.publicKey } }),
      await app.inject({
        method: "GET",
        url: INSTRUMENTS,
        headers: signedHeaders(shop.key, { method: "GET", path: BALANCES }),
      }),
      await app.inject({
        url: BALANCES,
        headers: signedHeaders({ ...shop.key, secretKey: "ws_other" }, { method: "GET", path: BALANCES }),
      }),
    ];
    const bodies = answers.map((answer) => ({ ...answer.json<object>(), traceId: "" }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401]);
    expect(bodies[0]).toMatchObject({ status: "ERR_UNAUTHORIZED" });
  });

  test("whose answer is ready is checked like any other", async () => {
    const version = {};
    await using ready = await testApp(database, { versions: { instruments: () => version } });
    const shop = new PartnerProgram(ready, (await program()).key);
    const at = Date.now();
    const first = await shop.send("GET", INSTRUMENTS, { at });
    expect(await shop.send("GET", INSTRUMENTS)).toMatchObject({ http: 200, body: first.body });
    expect(await shop.send("GET", INSTRUMENTS, { at })).toMatchObject({ http: 401 });
    expect((await ready.inject(INSTRUMENTS)).statusCode).toBe(401);
  });

  test("is taken once by all processes together, and its signature is forgotten when it is too old", async () => {
    const shop = await program();
    await using other = await testApp(database);
    const at = Date.now();
    expect(await shop.send("GET", BALANCES, { at })).toMatchObject({ http: 200 });
    expect(await shop.send("GET", BALANCES, { at })).toMatchObject({ http: 401 });
    expect(await new PartnerProgram(other, shop.key).send("GET", BALANCES, { at })).toMatchObject({ http: 401 });
    // Of many equal ones at the same moment one is taken.
    const many = await Promise.all(Array.from({ length: 20 }, () => shop.send("GET", BALANCES, { at: at + 1 })));
    expect(many.filter(({ http }) => http === 200)).toHaveLength(1);
    expect(many.find(({ http }) => http === 401)?.body).toMatchObject({
      status: "ERR_UNAUTHORIZED",
      message: expect.stringContaining("another time stamp"),
      data: { "X-Api-Signature": "was used already" },
    });

    let now = new Date(at);
    const used = createUsedSignatures(database, () => now);
    now = new Date(at + 200_000);
    const { publicKey } = shop.key;
    const { rows } = await database.pool.query<{ user_id: bigint }>(
      "select user_id from api_keys where public_key = $1",
      [publicKey],
    );
    const userId = rows[0]?.user_id ?? 0n;
    const take = (letter: string, whiteListIp = "") =>
      used.take(`${letter.repeat(43)}=`, now.getTime(), { publicKey, whiteListIp, userId });
    // At the same moment, of which one knows the key as it was.
    const [asItWas, ...asItIs] = await Promise.all([take("A", "192.0.2.1"), take("A"), take("A")]);
    expect([asItWas, asItIs.toSorted()]).toEqual(["other-key", ["taken", "used"]]);
    await expect.poll(async () => (await database.pool.query("select from used_signatures")).rowCount).toBe(1);
  });

  test("is put off until it can't have been taken before, once the database has lost what was", async () => {
    const shop = await program();
    expect(await shop.send("GET", BALANCES, { at: Date.now() })).toMatchObject({ http: 200 });
    // As a crash leaves unlogged tables.
    await database.pool.query("truncate used_signatures, signature_log");
    for (let n = 0; n < 2; n += 1)
      expect(await shop.send("GET", BALANCES)).toMatchObject({
        http: 503,
        body: { status: "ERR_SERVICE_UNAVAILABLE" },
      });
    expect(await shop.send("GET", BALANCES, { version: 1 })).toMatchObject({ http: 200 });

    const used = createUsedSignatures(database);
    const { publicKey } = shop.key;
    const { rows } = await database.pool.query<{ userId: bigint; since: Date }>(
      `select user_id as "userId", complete_since as since from api_keys, signature_log where public_key = $1`,
      [publicKey],
    );
    const { userId = 0n, since = new Date() } = rows[0] ?? {};
    const key = { publicKey, whiteListIp: "", userId };
    const after = since.getTime() + 90_000;
    const takings = [after, after + 1, after, after + 1].map((at) => used.take(`${"A".repeat(43)}=`, at, key));
    expect(await Promise.all(takings)).toEqual(["unknown", "taken", "used", "used"]);
    await database.pool.query("update signature_log set complete_since = 'epoch'");
  });

  test("with a body that its method has not is refused: its signature would not cover what was sent", async () => {
    const shop = await program();
    const headers = signedHeaders(shop.key, { method: "GET", path: BALANCES });
    expect((await app.inject({ url: BALANCES, headers, payload: "{}" })).json()).toMatchObject({
      status: "ERR_BAD_REQUEST",
      message: "A GET has no body",
    });
    expect((await app.inject({ url: BALANCES, headers })).statusCode).toBe(200);
  });

  test("is counted by the address of the trusted proxies alone", async () => {
    await using behind = await testApp(database, { config: { trustProxy: ["10.0.0.1"] } });
    const shop = await program("198.51.100.0/24", behind);
    const forged = { "x-forwarded-for": "198.51.100.9", "x-real-ip": "198.51.100.9", forwarded: "for=198.51.100.9" };
    expect(await shop.send("GET", BALANCES, { address: "203.0.113.5", headers: forged })).toMatchObject({ http: 401 });
    expect(await shop.send("GET", BALANCES, { address: "10.0.0.1", headers: forged })).toMatchObject({ http: 200 });
    const chain = { "x-forwarded-for": "198.51.100.9, 203.0.113.5" };
    expect(await shop.send("GET", BALANCES, { address: "10.0.0.1", headers: chain })).toMatchObject({ http: 401 });
    expect(await shop.send("GET", BALANCES, { address: "198.51.100.9" })).toMatchObject({ http: 200 });
  });

  test("of a key that was switched off, changed or deleted is refused from the next one on", async () => {
    const browser = await signedIn();
    const shop = new PartnerProgram(app, await generatedKey(browser));
    const { apiId } = shop.key;
    expect(await shop.send("GET", BALANCES)).toMatchObject({ http: 200 });
    await browser.send("updateApiKey", { apiId, name: "Shop", whiteListIp: "", isActive: false });
    expect(await shop.send("GET", BALANCES)).toMatchObject({ http: 401 });
    await browser.send("updateApiKey", { apiId, name: "Shop", whiteListIp: "", isActive: true });
    expect(await shop.send("GET", BALANCES)).toMatchObject({ http: 200 });
    await browser.send("updateApiKey", { apiId, name: "Shop", whiteListIp: "192.0.2.99", isActive: true });
    expect(await shop.send("GET", BALANCES)).toMatchObject({ http: 401 });
    expect(await shop.send("GET", BALANCES, { address: "192.0.2.99" })).toMatchObject({ http: 200 });
    await browser.send("deleteApiKey", { apiId });
    expect(await shop.send("GET", BALANCES, { address: "192.0.2.99" })).toMatchObject({ http: 401 });
  });

  test("may be signed by the old key and the new one while keys are exchanged", async () => {
    const browser = await signedIn();
    const old = new PartnerProgram(app, await generatedKey(browser));
    const next = new PartnerProgram(app, await generatedKey(browser));
    for (const shop of [old, next]) expect(await shop.send("GET", BALANCES)).toMatchObject({ http: 200 });
    await browser.send("deleteApiKey", { apiId: old.key.apiId });
    expect(await old.send("GET", BALANCES)).toMatchObject({ http: 401 });
    expect(await next.send("GET", BALANCES)).toMatchObject({ http: 200 });
  });

  test("says what is left of its key's minute, and one too many is 429", async () => {
    await using limited = await testApp(database, { config: { apiKeyLimits: { reads: 2, writes: 1 } } });
    const browser = await signedIn("ann@mail.example", limited);
    const [one, other] = [await generatedKey(browser), await generatedKey(browser)];
    const shop = new PartnerProgram(limited, one);
    expect((await shop.send("GET", BALANCES)).headers).toMatchObject({
      ratelimit: expect.stringMatching(/^"reads";r=1;t=\d+$/),
      "ratelimit-policy": '"reads";q=2;w=60',
      "ratelimit-limit": "2",
      "ratelimit-remaining": "1",
      "ratelimit-reset": expect.stringMatching(/^\d+$/),
    });
    await shop.send("GET", BALANCES);
    const over = await shop.send("GET", BALANCES);
    expect(over).toMatchObject({ http: 429, body: { status: "ERR_BAD_REQUEST" } });
    expect(over.headers).toMatchObject({ "retry-after": expect.any(String), "ratelimit-remaining": "0" });
    expect(await new PartnerProgram(limited, other).send("GET", BALANCES)).toMatchObject({ http: 200 });
  });
});

test("the document of the signed calls needs no signature, and the public one has none of them", async () => {
  const own = await app.inject("/api/v2/partner/openapi.json");
  expect(own.json()).toMatchObject({ openapi: "3.1.0", paths: { [BALANCES]: { get: {} } } });
  expect((await app.inject("/api/openapi.json")).body).not.toContain("/partner/");
});
