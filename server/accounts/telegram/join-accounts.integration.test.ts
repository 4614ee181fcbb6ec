import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { rowViolations } from "../../../tests/support/checkers/row-checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { PartnerProgram, type PartnerKey } from "../../../tests/support/http/partner-program.ts";
import { createTestEngine, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { launchOf } from "../../../tests/support/services/sign-in-proofs.ts";
import { clientHash } from "../../base/client-hash.ts";

const ORDERS = "/api/v2/partner/orders";
const WEBHOOKS = "/api/v2/partner/webhooks";
const BY_EMAIL = { email: "ann@mail.example", password: "a long enough phrase" };
const ELSEWHERE = "198.51.100.9";
const REFUSED = { http: 422, body: { status: "ERR_UNPROCESSABLE_ENTITY" } };
type Headers = Record<string, string>;

let database: TestDatabase;
let chain: FakeChain;
let engine: TestEngine;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  engine = await createTestEngine({ database, reader: chain, wallet: chain });
  app = await testApp(database, { orderService: engine.engine.orderService });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => database.empty("users", "orders"));

async function byEmail() {
  const browser = new AccountBrowser(app);
  await browser.send("createLocal", BY_EMAIL);
  expect(await browser.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200 });
  return browser;
}

/** The Telegram user's account. */
async function launched() {
  const browser = new AccountBrowser(app);
  browser.address = ELSEWHERE;
  const { body } = await browser.send("createByTelegram", { initData: launchOf(app) });
  app.market.advance(1);
  return { browser, headers: { authorization: `Bearer ${String(body["accessToken"])}` } };
}

async function programOf(browser: AccountBrowser, headers: Headers = {}) {
  const { http, body } = await browser.send("generateApiKey", { name: "Shop", whiteListIp: "" }, headers);
  expect(http).toBe(201);
  return new PartnerProgram(app, body as PartnerKey);
}

let made = 0;
async function orderOf(shop: PartnerProgram, changes: object = {}, http = 201) {
  const body = {
    rateMode: "FLOATING",
    instrumentFromSlug: "eth",
    instrumentToSlug: "usdt-erc20",
    destinationAddress: "destination",
    claimedDepositAmount: "0.5",
    claimedPublicRate: { price: "2983", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1491.5" },
    ...changes,
  };
  const order = await shop.send("POST", ORDERS, { body, idempotencyKey: `key ${(made += 1)}` });
  expect(order).toMatchObject({ http });
  return order.body as { orderId: string; depositAddress: string };
}

async function paid({ depositAddress }: { depositAddress: string }) {
  chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
  for (let block = 0; block < 6; block += 1) {
    chain.mine();
    await engine.settle();
  }
}

test("a program whose Telegram account is linked keeps its orders, webhooks and markups", async () => {
  const { browser: telegram, headers } = await launched();
  const shop = await programOf(telegram, headers);
  const order = await orderOf(shop, { externalId: "cart 1", markupBps: 500 });
  expect(await shop.send("POST", WEBHOOKS, { body: { url: "https://8.8.8.8/orders" } })).toMatchObject({ http: 201 });
  const ann = await byEmail();
  expect(await ann.send("linkTelegram", { initData: launchOf(app) })).toMatchObject({ http: 200 });

  expect(await shop.send("GET", `${ORDERS}/${order.orderId}`)).toMatchObject({ http: 200 });
  expect((await shop.send("GET", `${ORDERS}?externalId=cart%201`)).body).toMatchObject({ items: [order] });
  expect((await shop.send("GET", WEBHOOKS)).body).toMatchObject([{ url: "https://8.8.8.8/orders" }]);
  await paid(order);
  expect((await shop.send("GET", "/api/v2/partner/balances")).body).toMatchObject([{ balance: "75" }]);
  expect(await rowViolations(database)).toEqual([]);
});

test("a link joins no two accounts whose programs gave orders one name", async () => {
  const { browser: telegram, headers } = await launched();
  await orderOf(await programOf(telegram, headers), { externalId: "cart 1" });
  const ann = await byEmail();
  await orderOf(await programOf(ann), { externalId: "cart 1" });
  expect(await ann.send("linkTelegram", { initData: launchOf(app) })).toMatchObject(REFUSED);
  expect(await telegram.send("accountData", undefined, headers)).toMatchObject({ http: 200 });
});

test("linking moves to the account what the Telegram account was used with, so that it stays known as its own", async () => {
  const { browser: telegram, headers } = await launched();
  const known = "select user_id::int as user_id from user_clients where network_hash = $1";
  const seen = async () => (await database.pool.query(known, [clientHash(null, ELSEWHERE)])).rows as unknown;
  const { userId } = (await telegram.send("accountData", undefined, headers)).body;
  expect(await seen()).toEqual([{ user_id: userId }]);
  const ann = await byEmail();
  expect(await ann.send("linkTelegram", { initData: launchOf(app) })).toMatchObject({ http: 200 });
  expect(await seen()).toEqual([{ user_id: (await ann.send("accountData")).body["userId"] }]);
});

test("an account is not deleted while an order of its programs may still bring a markup", async () => {
  const ann = await byEmail();
  const shop = await programOf(ann);
  await orderOf(shop);
  const order = await orderOf(shop, { markupBps: 500 });
  expect(await ann.send("deleteAccount")).toMatchObject(REFUSED);
  await database.pool.query("update orders set state = 'confirming' where id = $1", [order.orderId]);
  expect(await ann.send("deleteAccount")).toMatchObject(REFUSED);
  await database.pool.query("update orders set state = 'expired' where id = $1", [order.orderId]);
  expect(await ann.send("deleteAccount")).toMatchObject({ http: 200 });
});

test("an order that a program makes while its account is linked is refused: nobody would see it", async () => {
  const { browser: telegram, headers } = await launched();
  const shop = await programOf(telegram, headers);
  await byEmail();
  const holder = await database.pool.connect();
  await holder.query("begin");
  await holder.query("select from users for update");
  const late = orderOf(shop, {}, 401);
  await atLock();
  // What a link does, held up before its commit.
  await holder.query("update users set deleted_at = now() where email is null");
  await holder.query("commit");
  holder.release();
  await late;
  expect((await database.pool.query("select from orders")).rowCount).toBe(0);
});

async function atLock() {
  await eventually("an order at the lock", async () => {
    const { rowCount } = await database.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === 1 || null;
  });
}
