import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OrderEventKind } from "#contract/order.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { closedOrderService, testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { browserKeys } from "../../../tests/support/services/push-service.ts";
import type { PushParts } from "./routes.ts";
import { createPushSubscriptions } from "./subscriptions.ts";
import { openPushKeys } from "./vapid-keys.ts";

const ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/gAAA";
const services = { services: ["push.services.mozilla.com"], sandboxService: null };

let database: TestDatabase;
let testEngine: TestEngine;
let app: TestApp;
let opened: { orderId: string; destinationAddress: string };

const open = async (offered: PushParts["push"]) => {
  const push = { subscriptions: createPushSubscriptions(database), push: offered };
  app = await testApp(database, { orderService: testEngine.engine.orderService, push });
};

beforeEach(async () => {
  database = await freshDatabase();
  const chain = new FakeChain();
  chain.mine(2);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  await testEngine.settle();
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  opened = { orderId: order.orderId, destinationAddress: order.destinationAddress };
  await open({ ...services, publicKey: "BKey" });
});
afterEach(async () => {
  await app.close();
  await database.drop();
});

const ask = async (call: "push-subscribe" | "push-unsubscribe", body: object) => {
  const url = `/api/v1/orders/public/${call}`;
  const answer = await app.inject({ method: "POST", url, payload: body });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
};
const aBrowser = (endpoint = ENDPOINT) => ({ endpoint, keys: browserKeys(endpoint).keys, locale: "ru" });
const rows = () => database.kysely.selectFrom("push_subscriptions").selectAll().orderBy("id").execute();

test("a browser that knows the order subscribes and unsubscribes", async () => {
  const browser = { ...aBrowser(), expirationTime: 1_900_000_000_000 };
  expect(await ask("push-subscribe", { ...opened, ...browser })).toEqual({
    status: 200,
    body: { orderId: opened.orderId, isSubscribed: true, isAccountSubscribed: false },
  });
  expect(await rows()).toMatchObject([
    { order_id: opened.orderId, endpoint: ENDPOINT, ...browser.keys, locale: "ru", expires_at: new Date(19e11) },
  ]);

  const again = aBrowser();
  await ask("push-subscribe", { ...opened, ...again, locale: "en" });
  expect(await rows()).toMatchObject([{ ...again.keys, locale: "en", expires_at: null }]);

  for (let times = 0; times < 2; times += 1)
    expect(await ask("push-unsubscribe", { ...opened, endpoint: ENDPOINT })).toMatchObject({
      status: 200,
      body: { isSubscribed: false },
    });
  expect(await rows()).toEqual([]);
});

describe("a browser in which somebody is signed in", () => {
  const BY_EMAIL = { email: "ann@mail.example", password: "a long enough phrase" };
  const signedIn = async () => {
    const browser = new AccountBrowser(app);
    await browser.send("createLocal", BY_EMAIL);
    expect(await browser.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200 });
    return browser;
  };
  const ofSessions = async () => (await rows()).filter(({ session_id }) => session_id !== null);

  test("is subscribed to the account too, until the last order is unsubscribed from", async () => {
    const browser = await signedIn();
    const subscribe = () => browser.send("subscribePush", { ...opened, ...aBrowser(), locale: "ru" });
    expect(await subscribe()).toMatchObject({ http: 200 });
    await subscribe();
    expect(await ofSessions()).toMatchObject([{ order_id: null, endpoint: ENDPOINT, locale: "ru" }]);
    const other = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
    const { orderId, destinationAddress } = other;
    await browser.send("subscribePush", { orderId, destinationAddress, ...aBrowser(), locale: "ru" });
    await browser.send("unsubscribePush", { orderId, destinationAddress, endpoint: ENDPOINT });
    expect(await ofSessions()).toHaveLength(1);
    await browser.send("unsubscribePush", { ...opened, endpoint: ENDPOINT });
    expect(await ofSessions()).toEqual([]);
  });

  test("is subscribed to the account alone, until the person switches that off, whatever ends of orders", async () => {
    const browser = await signedIn();
    expect(await browser.read("accountPush")).toMatchObject({ body: { publicKey: "BKey", endpoint: null } });
    expect(await browser.send("subscribeAccountPush", { ...aBrowser(), locale: "ru" })).toMatchObject({
      http: 200,
      body: { endpoint: ENDPOINT },
    });
    expect(await ofSessions()).toMatchObject([{ order_id: null, endpoint: ENDPOINT, locale: "ru" }]);
    await browser.send("subscribePush", { ...opened, ...aBrowser(), locale: "ru" });
    expect(await browser.send("unsubscribePush", { ...opened, endpoint: ENDPOINT })).toMatchObject({
      body: { isSubscribed: false, isAccountSubscribed: true },
    });
    expect(await browser.read("accountPush")).toMatchObject({ body: { endpoint: ENDPOINT } });

    await browser.send("subscribePush", { ...opened, ...aBrowser(), locale: "ru" });
    expect(await browser.send("unsubscribeAccountPush")).toMatchObject({ http: 200, body: { isEndpointUsed: true } });
    expect(await ofSessions()).toEqual([]);
    await browser.send("unsubscribePush", { ...opened, endpoint: ENDPOINT });
    expect(await browser.send("unsubscribeAccountPush")).toMatchObject({ http: 200, body: { isEndpointUsed: false } });
  });

  test("is subscribed to by whoever is signed in alone, at a known push service", async () => {
    const guest = new AccountBrowser(app);
    expect(await guest.send("subscribeAccountPush", { ...aBrowser(), locale: "ru" })).toMatchObject({ http: 401 });
    const browser = await signedIn();
    const elsewhere = { ...aBrowser(), endpoint: "https://evil.example/x", locale: "ru" as const };
    expect(await browser.send("subscribeAccountPush", elsewhere)).toMatchObject({
      http: 400,
      body: { status: "ERR_VALIDATION" },
    });
    expect(await rows()).toEqual([]);
  });

  test("is forgotten with the session", async () => {
    const browser = await signedIn();
    await browser.send("subscribePush", { ...opened, ...aBrowser(), locale: "ru" });
    const subscriptions = createPushSubscriptions(database);
    await subscriptions.prune();
    expect(await ofSessions()).toHaveLength(1);
    await browser.send("logOut");
    await subscriptions.prune();
    expect(await ofSessions()).toEqual([]);
  });
});

describe("nothing is stored for", () => {
  test.each([
    ["an unknown order", { orderId: "A".repeat(22) }, 404, "ERR_NOT_FOUND_E"],
    ["another address", { destinationAddress: "0xother" }, 404, "ERR_NOT_FOUND_E"],
    ["an address of nobody's push service", { endpoint: "https://evil.example/x" }, 400, "ERR_VALIDATION"],
    ["this machine", { endpoint: "http://127.0.0.1:5432/" }, 400, "ERR_VALIDATION"],
    ["an endpoint without end", { endpoint: `${ENDPOINT}${"x".repeat(2_048)}` }, 400, "ERR_VALIDATION"],
    ["a key off the curve", { keys: { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) } }, 400, "ERR_VALIDATION"],
    ["half a key", { keys: { p256dh: "BAAA", auth: "A".repeat(22) } }, 400, "ERR_VALIDATION"],
    ["a secret that is too short", { keys: { ...aBrowser().keys, auth: "AAAA" } }, 400, "ERR_VALIDATION"],
    ["a language that nobody is written to in", { locale: "uk" }, 400, "ERR_VALIDATION"],
    ["a time without end", { expirationTime: 9e15 }, 400, "ERR_VALIDATION"],
  ])("%s", async (_, wrong, status, code) => {
    expect(await ask("push-subscribe", { ...opened, ...aBrowser(), ...wrong })).toMatchObject({
      status,
      body: { status: code },
    });
    expect(await rows()).toEqual([]);
  });

  test("the eleventh browser of an order, also when all come at once", async () => {
    const asked = Array.from({ length: 14 }, (_, index) => aBrowser(`${ENDPOINT}${index}`));
    const subscribe = (browser: object) => ask("push-subscribe", { ...opened, ...browser });
    for (const browser of asked.slice(0, 9)) expect(await subscribe(browser)).toMatchObject({ status: 200 });
    const answers = await Promise.all(asked.slice(9).map(subscribe));

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 422, 422, 422, 422,
    ]);
    expect(await rows()).toHaveLength(10);
    const known = (await rows())[0]?.endpoint;
    expect(await ask("push-subscribe", { ...opened, ...aBrowser(known) })).toMatchObject({ status: 200 });
  });

  test.each<OrderEventKind>(["WITHDRAWAL_COMPLETED", "REFUND_COMPLETED"])("an order after %s", async (kind) => {
    const order = await testEngine.engine.orderService.info(opened.orderId, opened.destinationAddress);
    const ended = { ...order, orderEvents: [{ kind, at: order.createdAt }, ...order.orderEvents] };
    await app.close();
    app = await testApp(database, {
      orderService: closedOrderService({ info: async () => ended }),
      push: { subscriptions: createPushSubscriptions(database), push: { ...services, publicKey: "BKey" } },
    });

    expect(await ask("push-subscribe", { ...opened, ...aBrowser() })).toMatchObject({
      status: 422,
      body: { status: "ERR_UNPROCESSABLE_ENTITY" },
    });
    expect(await rows()).toEqual([]);
  });
});

test("nobody unsubscribes a browser without knowing the order", async () => {
  await ask("push-subscribe", { ...opened, ...aBrowser() });

  expect(await ask("push-unsubscribe", { ...opened, destinationAddress: "0xother", endpoint: ENDPOINT })).toMatchObject(
    { status: 404 },
  );
  expect(await rows()).toHaveLength(1);
});

describe("without keys", () => {
  test("push is off, and the app gets no key", async () => {
    await app.close();
    await open(null);

    const key = await app.inject("/api/v1/orders/public/push-key");
    expect(key.json()).toEqual({ publicKey: null });
    expect(await ask("push-subscribe", { ...opened, ...aBrowser() })).toMatchObject({ status: 404 });
    expect(await rows()).toEqual([]);
  });

  test("the sandbox generates one pair for all processes and starts", async () => {
    const made = await Promise.all([openPushKeys(null, database), openPushKeys(null, database)]);

    expect(made[0]).toEqual(made[1]);
    expect(await openPushKeys(null, database)).toEqual(made[0]);
    expect(Buffer.from(made[0].publicKey, "base64url")).toHaveLength(65);
    const configured = { publicKey: "B", privateKey: null };
    expect(await openPushKeys(configured, database)).toBe(configured);
  });
});
