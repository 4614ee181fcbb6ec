import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { orderUpdatedSchema, webhookTestSchema } from "#contract/webhooks.ts";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { partnerProgram, type PartnerProgram } from "../../../tests/support/http/partner-program.ts";
import { WebhookReceiver } from "../../../tests/support/partner-api/webhook-receiver.ts";
import { createTestEngine, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { createLog } from "../../base/logging/log.ts";
import { inTransaction } from "../../db/transaction.ts";
import { runWebhooks } from "../index.ts";
import { enqueueWebhooks, type Leased, leaseDeliveries, recordDelivered, recordFailed } from "./store.ts";

const WEBHOOKS = "/api/v2/partner/webhooks";
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 });
const log = createLog({ level: "silent" });

let database: TestDatabase;
let app: TestApp;
let chain: FakeChain;
let testEngine: TestEngine;
let shop: PartnerProgram;
let receiver: WebhookReceiver;
beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  const { orderService } = testEngine.engine;
  app = await testApp(database, { orderService, config: { sandbox: true } });
  shop = await partnerProgram(app);
  receiver = await new WebhookReceiver().listen();
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  await app.close();
  await database.drop();
});

const start = () =>
  runWebhooks({
    database,
    catalogue: app.catalogue,
    readers: new Map(),
    orderService: testEngine.engine.orderService,
    config: { sandbox: true, apiKeysKey: null },
    log,
  });
/** Receivers on this machine are taken from it alone. */
const HERE = { address: "127.0.0.1" };
const hooked = async (url = receiver.url): Promise<{ id: string; secret: string }> => {
  const { http, body } = await shop.send("POST", WEBHOOKS, { body: { url }, ...HERE });
  expect({ http, body }).toMatchObject({ http: 201 });
  return body as { id: string; secret: string };
};
let keys = 0;
const order = async (): Promise<{ orderId: string; depositAddress: string }> => {
  const body = {
    rateMode: "FLOATING",
    instrumentFromSlug: "eth",
    instrumentToSlug: "usdt-erc20",
    destinationAddress: "destination",
    claimedDepositAmount: "0.5",
    claimedPublicRate: { price: "2983", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1491.5" },
  };
  const answer = await shop.send("POST", "/api/v2/partner/orders", { body, idempotencyKey: `key ${(keys += 1)}` });
  expect(answer).toMatchObject({ http: 201 });
  return answer.body as { orderId: string; depositAddress: string };
};
const deliveries = async (id: string, query = "") =>
  (await shop.send("GET", `${WEBHOOKS}/${id}/deliveries${query}`)).body["items"] as Record<string, unknown>[];
const dueNow = () =>
  database.pool.query("update webhook_deliveries set next_attempt_at = now() where state = 'pending'");
const isLocked = async () => {
  const { rowCount } = await database.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  expect(rowCount).toBe(1);
};
const stateOf = ({ text }: { text: string }) => (JSON.parse(text) as { data: { state: string } }).data.state;

describe("a receiver", () => {
  test("is notified of each step of an order, in order, with its secret", async () => {
    const { id, secret } = await hooked();
    expect(secret).toMatch(/^whs_[\w-]{43}$/);
    const webhooks = start();
    const { orderId, depositAddress } = await order();
    await until(async () => expect(receiver.taken).toHaveLength(1));
    chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
    for (let block = 0; block < 6; block += 1) {
      chain.mine();
      await testEngine.settle();
      webhooks.wake();
    }
    await until(async () => expect(stateOf(receiver.taken.at(-1) ?? { text: '{"data":{}}' })).toBe("COMPLETED"));
    await webhooks.stop();
    const log = await deliveries(id);
    expect(log.map(({ state }) => state)).toEqual(log.map(() => "DELIVERED"));
    expect(receiver.taken.map((one) => one.id)).toEqual(log.map((one) => one["id"]).reverse());
    expect(receiver.taken[0]).toMatchObject({ orderId });
    for (const { text } of receiver.taken)
      expect(orderUpdatedSchema.parse(JSON.parse(text))).toMatchObject({ data: { orderId } });
    const states = receiver.taken.map(stateOf);
    const ranks = ["PENDING", "PROCESSING", "COMPLETED"];
    expect(states.map((state) => ranks.indexOf(state))).toEqual(
      states.map((state) => ranks.indexOf(state)).sort((a, b) => a - b),
    );
    const { rows } = await database.pool.query<{ all: string }>("select w::text as all from webhooks w");
    expect(rows[0]?.all).not.toContain(secret);
  });

  test("is not added by a key that is deleted while the call is on its way", async () => {
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("select id from users for update");
    const late = shop.send("POST", WEBHOOKS, { body: { url: receiver.url }, ...HERE });
    await until(isLocked);
    await holder.query("delete from api_keys");
    await holder.query("commit");
    holder.release();
    expect(await late).toMatchObject({ http: 401 });
    expect((await database.pool.query("select from webhooks")).rowCount).toBe(0);
  });

  test("gets a test, and what it has had once more by hand", async () => {
    const { id } = await hooked();
    const webhooks = start();
    expect(await shop.send("POST", `${WEBHOOKS}/${id}/test`)).toMatchObject({ http: 200 });
    webhooks.wake();
    await until(async () => expect(receiver.taken).toHaveLength(1));
    expect(webhookTestSchema.parse(JSON.parse(receiver.taken[0]?.text ?? ""))).toMatchObject({ type: "test" });
    await until(async () => expect(await deliveries(id)).toMatchObject([{ state: "DELIVERED", lastStatus: 200 }]));
    const [first] = await deliveries(id);
    const again = `${WEBHOOKS}/${id}/deliveries/${String(first?.["id"])}/redeliver`;
    expect(await shop.send("POST", again)).toMatchObject({ http: 200 });
    webhooks.wake();
    await until(async () => expect(receiver.taken).toHaveLength(2));
    await webhooks.stop();
    expect(receiver.taken[1]?.text).toBe(receiver.taken[0]?.text);
  });

  test("has five tests at most that wait, also when all are asked for at once", async () => {
    const { id } = await hooked();
    const test = async () => (await shop.send("POST", `${WEBHOOKS}/${id}/test`, { body: {} })).http;
    const answers = await Promise.all(Array.from({ length: 12 }, test));
    expect(answers.filter((http) => http === 200)).toHaveLength(5);
    expect(answers.filter((http) => http === 429)).toHaveLength(7);
    const webhooks = start();
    await until(() => expect(receiver.taken).toHaveLength(5));
    await until(async () => expect(await test()).toBe(200));
    await webhooks.stop();
  });

  test("has a log in pages, whose cursor discloses nothing of what others are sent", async () => {
    const { id } = await hooked();
    const another = await hooked(`${receiver.url}/another`);
    for (let n = 0; n < 3; n += 1) await shop.send("POST", `${WEBHOOKS}/${id}/test`);
    const all = (await deliveries(id)).map((one) => one["id"]);
    const part = async (query: string) => (await shop.send("GET", `${WEBHOOKS}/${id}/deliveries?${query}`)).body;
    const first = await part("limit=2");
    const cursor = String(first["nextCursor"]);
    expect(cursor).toMatch(/^[\w-]{22}$/);
    const second = await part(`limit=2&cursor=${cursor}`);
    expect([first["items"], second["items"]].flat().map((one) => (one as { id: string }).id)).toEqual(all);
    expect(second["nextCursor"]).toBeNull();
    for (const wrong of [`${id}/deliveries?cursor=Mg`, `${another.id}/deliveries?cursor=${cursor}`])
      expect(await shop.send("GET", `${WEBHOOKS}/${wrong}`)).toMatchObject({
        http: 400,
        body: { data: { cursor: expect.any(String) } },
      });
  });

  test("on this machine is taken from this machine alone, and not through a proxy on it", async () => {
    const browser = new AccountBrowser(app);
    await browser.send("authenticateLocal", { email: "ann@mail.example", password: "a long enough phrase" });
    const body = { url: receiver.url };
    expect(await browser.send("createWebhook", body)).toMatchObject({
      http: 400,
      body: { status: "ERR_VALIDATION", data: { url: expect.stringContaining("from this machine") } },
    });
    for (const from of [
      {},
      { ...HERE, headers: { "x-forwarded-for": "203.0.113.7" } },
      { ...HERE, headers: { host: "evil.test" } },
    ])
      expect(await shop.send("POST", WEBHOOKS, { body, ...from })).toMatchObject({ http: 400 });
    expect(await shop.send("POST", WEBHOOKS, { body: { url: "https://shop.example/hook" } })).toMatchObject({
      http: 201,
    });
  });

  test("is its account's in the browser too", async () => {
    const browser = new AccountBrowser(app, HERE.address);
    await browser.send("authenticateLocal", { email: "ann@mail.example", password: "a long enough phrase" });
    const { id } = await hooked();
    const made = await browser.send("createWebhook", { url: receiver.url });
    expect(made).toMatchObject({ http: 201, body: { secret: expect.stringMatching(/^whs_/) } });
    expect(Object.values((await browser.read("webhooks")).body as object)).toHaveLength(2);
    expect(await browser.send("testWebhook", { webhookId: id })).toMatchObject({ http: 200 });
    const log = async () =>
      ((await browser.read("webhookDeliveries", { webhookId: id })).body as { items: Record<string, unknown>[] }).items;
    const webhooks = start();
    await until(async () => expect(await log()).toMatchObject([{ type: "test", state: "DELIVERED" }]));
    const [sent] = await log();
    const again = { webhookId: id, deliveryId: String(sent?.["id"]) };
    expect(await browser.send("redeliverWebhook", again)).toMatchObject({ http: 200 });
    webhooks.wake();
    await until(() => expect(receiver.taken).toHaveLength(2));
    await webhooks.stop();
    expect(await browser.send("deleteWebhook", { webhookId: id })).toMatchObject({ http: 200 });
    expect((await browser.read("webhookDeliveries", { webhookId: id })).http).toBe(404);
  });

  test("that is deleted gets nothing more; another account's is not there", async () => {
    const { id } = await hooked();
    const bob = await partnerProgram(app, "bob@mail.example");
    for (const [method, path] of [
      ["DELETE", `${WEBHOOKS}/${id}`],
      ["GET", `${WEBHOOKS}/${id}/deliveries`],
      ["POST", `${WEBHOOKS}/${id}/test`],
      ["POST", `${WEBHOOKS}/${id}/deliveries/${id}/redeliver`],
    ] as const)
      expect(await bob.send(method, path)).toMatchObject({
        http: 404,
        body: { status: "ERR_NOT_FOUND", message: "There is no such webhook" },
      });
    expect(await shop.send("POST", `${WEBHOOKS}/${id}/deliveries/${id}/redeliver`)).toMatchObject({
      http: 404,
      body: { status: "ERR_NOT_FOUND", message: "The webhook's log has no such delivery" },
    });
    await order();
    expect(await shop.send("DELETE", `${WEBHOOKS}/${id}`)).toMatchObject({ http: 200 });
    expect((await shop.send("GET", WEBHOOKS)).body).toEqual([]);
    expect((await database.pool.query("select from webhook_deliveries")).rowCount).toBe(0);
    const webhooks = start();
    await order();
    await webhooks.stop();
    expect(receiver.seen).toEqual([]);
  });

  test("is refused where it is not public, and beyond ten", async () => {
    for (const url of ["http://shop.example/x", "https://10.0.0.1/x"])
      expect(await shop.send("POST", WEBHOOKS, { body: { url } })).toMatchObject({
        http: 400,
        body: { data: { url: expect.any(String) } },
      });
    for (let n = 0; n < 10; n += 1) await hooked(`https://shop.example/${n}`);
    expect(await shop.send("POST", WEBHOOKS, { body: { url: receiver.url }, ...HERE })).toMatchObject({ http: 422 });
  });
});

describe("a delivery", () => {
  test("that fails is tried again with the same bytes, and what follows of its order waits for it", async () => {
    const { id } = await hooked();
    receiver.behave = () => 500;
    const webhooks = start();
    const { depositAddress } = await order();
    await until(async () => expect(await deliveries(id)).toMatchObject([{ attempts: 1, lastStatus: 500 }]));
    chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
    chain.mine();
    await testEngine.settle();
    webhooks.wake();
    const other = await order();
    webhooks.wake();
    await until(async () => expect(receiver.seen.at(-1)).toMatchObject({ orderId: other.orderId }));
    expect(receiver.seen).toHaveLength(2);
    receiver.behave = () => 200;
    await dueNow();
    webhooks.wake();
    await until(async () => expect((await deliveries(id)).every(({ state }) => state === "DELIVERED")).toBe(true));
    await webhooks.stop();
    const first = receiver.taken.find(({ id: one }) => one === receiver.seen[0]?.id);
    expect(first?.text).toBe(receiver.seen[0]?.text);
    const log = (await deliveries(id)).filter(({ orderId }) => orderId !== other.orderId).reverse();
    const got = receiver.taken.filter(({ orderId }) => orderId !== other.orderId);
    expect(got.map((one) => one.id)).toEqual(log.map((one) => one["id"]));
  });

  test("is dead after 72 h, and its order goes on; by hand it lives again", async () => {
    const { id } = await hooked();
    receiver.behave = () => 503;
    await order();
    await database.pool.query("update webhook_deliveries set retried_since = now() - interval '73 hours'");
    const webhooks = start();
    await until(async () => expect(await deliveries(id)).toMatchObject([{ state: "DEAD", nextAttemptAt: null }]));
    receiver.behave = () => 200;
    const [dead] = await deliveries(id, "?state=DEAD");
    expect(dead).toMatchObject({ state: "DEAD" });
    expect(await deliveries(id, "?state=DELIVERED")).toEqual([]);
    await shop.send("POST", `${WEBHOOKS}/${id}/deliveries/${String(dead?.["id"])}/redeliver`);
    webhooks.wake();
    await until(async () => expect(await deliveries(id)).toMatchObject([{ state: "DELIVERED" }]));
    await webhooks.stop();
  });

  test("is never sent for an order that was not committed, nor lost for one that was", async () => {
    await hooked();
    const { orderId } = await order();
    const { rows } = await database.pool.query("select order_id from webhook_deliveries");
    expect(rows).toEqual([{ order_id: orderId }]);
    const bad = { body: { rateMode: "FLOATING" }, idempotencyKey: "bad" };
    expect(await shop.send("POST", "/api/v2/partner/orders", bad)).toMatchObject({ http: 400 });
    expect((await database.pool.query("select from webhook_deliveries")).rowCount).toBe(1);
  });

  test("of a receiver that fails is one at a time; another's go on beside it", async () => {
    const { id } = await hooked();
    const healthy = await hooked("http://127.0.0.1:9/other");
    for (let n = 0; n < 6; n += 1) await order();
    const leased = await leaseDeliveries(database, new Map(), 100);
    const count = (webhookId: string) => leased.filter(({ webhook_id }) => webhook_id === webhookId).length;
    expect([count(id), count(healthy.id)]).toEqual([4, 4]);
    const [first] = leased.filter(({ webhook_id }) => webhook_id === id);
    if (first !== undefined) await recordFailed(database, first, { status: 500, error: "answered 500" });
    await dueNow();
    expect(await leaseDeliveries(database, new Map([[healthy.id, 4]]), 100)).toMatchObject([{ webhook_id: id }]);
  });

  test("that is queued while the one before it is on its way follows at once", async () => {
    await hooked();
    const { depositAddress } = await order();
    const [first] = await leaseDeliveries(database, new Map(), 100);
    chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
    chain.mine();
    await testEngine.settle();
    expect(await leaseDeliveries(database, new Map(), 100)).toEqual([]);
    if (first !== undefined) await recordDelivered(database, first, 200);
    expect(await leaseDeliveries(database, new Map(), 100)).toHaveLength(1);
  });

  test.each([
    ["has arrived", (first: Leased) => recordDelivered(database, first, 200)],
    ["has failed", (first: Leased) => recordFailed(database, first, { status: 500, error: "answered 500" })],
  ])("that its order is still queueing when the one before it %s waits no longer than that", async (_, record) => {
    await hooked();
    const { orderId } = await order();
    const [first] = await leaseDeliveries(database, new Map(), 100);
    if (first === undefined) throw new Error("nothing was queued");
    const [recorded] = await inTransaction(database, async (transaction) => {
      await transaction.selectFrom("orders").select("id").where("id", "=", orderId).forUpdate().execute();
      await enqueueWebhooks(transaction, orderId);
      const recording = record(first);
      await Promise.race([recording, until(isLocked)]);
      return [recording];
    });
    await recorded;
    const { rows } = await database.pool.query<{ seconds: number }>(
      `select extract(epoch from max(next_attempt_at) - now())::float8 as seconds from webhook_deliveries where state = 'pending'`,
    );
    expect(rows[0]?.seconds).toBeLessThan(30);
  });

  test("of a receiver that was away for long is found at once, before the planner knows how many wait", async () => {
    const { id } = await hooked();
    await database.pool.query(
      `insert into webhook_deliveries (webhook_id, order_id, type, next_attempt_at)
       select $1, 'order ' || g / 5, 'order.updated', now() from generate_series(0, 24999) g order by g`,
      [id],
    );
    const started = performance.now();
    const leased = await leaseDeliveries(database, new Map(), 100);
    expect(leased.map(({ order_id }) => order_id)).toEqual(["order 0", "order 1", "order 2", "order 3"]);
    // Comparing all that wait with each other takes a minute.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
