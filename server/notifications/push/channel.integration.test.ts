import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import webPush from "web-push";
import { toMinor } from "#contract/money.ts";
import type { CoinOrder } from "#contract/order.ts";
import { pushNotificationSchema } from "#contract/accounts/push.ts";
import type { TestDatabase } from "../../../tests/support/database/database.ts";
import { askForRefund, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { fakeChainSetup } from "../../../tests/support/chains/fake-chain-setup.ts";
import type { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { PushService, type Browser } from "../../../tests/support/services/push-service.ts";
import { createPushSender, createPushSubscriptions } from "../index.ts";
import { sendDueMessages } from "../outbox-runner.ts";
import { createPushChannel } from "./channel.ts";
import type { PushSubscriptions } from "./port.ts";

const HALF_ETH = 5n * 10n ** 17n;
const running = new AbortController().signal;
const keys = webPush.generateVAPIDKeys();

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let service: PushService;
let subscriptions: PushSubscriptions;
let order: CoinOrder;

beforeEach(async () => {
  ({ database, chain, testEngine } = await fakeChainSetup());
  service = await PushService.start();
  subscriptions = createPushSubscriptions(database);
  order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await database.drop();
});

const sendDue = (names: readonly string[] = []) => {
  const services = { services: names, sandboxService: service.url };
  const sender = createPushSender({ keys, subject: "mailto:push@wherry.test", services });
  const channels = new Map([["push", createPushChannel(sender, subscriptions)]] as const);
  return sendDueMessages({ database, channels, log: database.log }, running);
};
const subscribe = async (locale: "en" | "ru" = "en", expiresAt: Date | null = null): Promise<Browser> => {
  const browser = service.subscribe(keys.publicKey);
  await subscriptions.add(order.orderId, { endpoint: browser.endpoint, ...browser.keys, locale, expiresAt });
  return browser;
};
const pay = async () => {
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  chain.mine();
  await testEngine.settle();
};
const finish = async () => {
  for (let block = 0; block < 8; block += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
const notices = (browser: Browser) =>
  service.received(browser).map(({ text }) => pushNotificationSchema.parse(JSON.parse(text)));
const rows = () => database.kysely.selectFrom("outbox").selectAll().orderBy("id").execute();
const subscribed = () => database.kysely.selectFrom("push_subscriptions").selectAll().execute();
const timePasses = () =>
  sql`update outbox set next_attempt_at = now() - interval '1 second' where next_attempt_at is not null`.execute(
    database.kysely,
  );

describe("a browser that subscribed to an order", () => {
  test("is notified of the deposit and the payout, once each, in its own language", async () => {
    const phone = await subscribe("ru");
    const laptop = await subscribe("en");
    await pay();
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    await finish();
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    await sendDue();

    expect(notices(laptop).map(({ body }) => body)).toEqual([
      "We’ve seen your deposit. Once it’s confirmed, we’ll send you your coins.",
      "Your exchange is complete. Your coins are on their way.",
    ]);
    expect(notices(phone).map(({ title, lang }) => [title, lang])).toEqual([
      [`Заявка ${order.reference}`, "ru"],
      [`Заявка ${order.reference}`, "ru"],
    ]);
    expect(await rows()).toMatchObject(Array.from({ length: 4 }, () => ({ channel: "push", state: "sent" })));
  });

  test("gets no personal data and no amounts, and the push service nothing readable", async () => {
    const browser = await subscribe();
    await pay();
    await sendDue();
    await finish();
    await sendDue();

    const { orderId, destinationAddress, depositAddress } = order;
    const received = JSON.stringify(service.received(browser));
    expect(received).toContain(order.reference);
    for (const secret of [orderId, destinationAddress, depositAddress, "0.5", "ETH", "USDT"])
      expect(received).not.toContain(secret);
    const [first, second] = service.received(browser);
    expect(first).toMatchObject({ ttl: 86_400, urgency: "normal", topic: expect.stringMatching(/^[\w-]{32}$/) });
    expect(second?.topic).toBe(first?.topic);
  });

  test("can stop a refund to a new address, by a token that opens nothing", async () => {
    const browser = await subscribe();
    await pay();
    await askForRefund(testEngine, order);
    await sendDue();

    expect(service.received(browser).at(-1)).toMatchObject({ urgency: "high" });
    const token = notices(browser).at(-1)?.stopToken ?? "";
    expect(JSON.stringify(service.received(browser))).not.toContain(order.orderId);
    await testEngine.engine.orderService.stopRefund(order.orderId, token);
    expect((await testEngine.engine.orderService.info(order.orderId, order.destinationAddress)).review).toMatchObject({
      reason: "REFUND_STOPPED",
    });
  });

  test("is notified of a choice, and not any more once the customer has chosen", async () => {
    const priceClaim = testEngine.rates.priceClaim.bind(testEngine.rates);
    testEngine.rates.priceClaim = async (given) => {
      const priced = await priceClaim(given);
      return { ...priced, bounds: { ...priced.bounds, min: toMinor(2n * HALF_ETH) } };
    };
    order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
    const browser = await subscribe();
    await pay();
    await finish();
    await sendDue();
    expect(service.received(browser).at(-1)).toMatchObject({ urgency: "high" });
    expect(notices(browser).at(-1)?.body).toMatch(/below the minimum/);

    await sql`update outbox set state = 'pending', sent_at = null, next_attempt_at = now()
      where topic = 'under_minimum'`.execute(database.kysely);
    await sql`update orders set state = 'refunding'`.execute(database.kysely);
    await sendDue();
    expect((await rows()).at(-1)).toMatchObject({ state: "dead", last_failure: "outdated" });
    expect(service.asked).toBe(1);
  });

  test("gets no earlier notification afterwards: it shows only the last one", async () => {
    const browser = await subscribe();
    await pay();
    service.answers = [503];
    await sendDue();
    await finish();
    await sendDue();
    await timePasses();
    await sendDue();

    expect(notices(browser).map(({ body }) => body)).toEqual([
      "Your exchange is complete. Your coins are on their way.",
    ]);
    expect(await rows()).toMatchObject([{ state: "dead", last_failure: "outdated" }, { state: "sent" }]);
  });

  test("and unsubscribes gets no pending notification", async () => {
    const browser = await subscribe();
    await pay();
    await subscriptions.remove(order.orderId, browser.endpoint);
    await sendDue();

    expect(service.asked).toBe(0);
    expect(await rows()).toMatchObject([{ state: "dead", last_failure: "the subscription was deleted" }]);
    await finish();
    expect(await rows()).toHaveLength(1);
  });

  test("after the deposit gets later notifications only", async () => {
    await pay();
    const browser = await subscribe();
    await finish();
    await sendDue();

    expect(notices(browser).map(({ body }) => body)).toEqual([
      "Your exchange is complete. Your coins are on their way.",
    ]);
  });
});

test("an order without subscriptions sends nothing, also not to another's subscription", async () => {
  const other = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  const browser = service.subscribe(keys.publicKey);
  await subscriptions.add(other.orderId, {
    endpoint: browser.endpoint,
    ...browser.keys,
    locale: "en",
    expiresAt: null,
  });
  await pay();
  await finish();

  expect(await rows()).toEqual([]);
});

describe("a push service that", () => {
  let browser: Browser;
  beforeEach(async () => {
    browser = await subscribe();
    await pay();
  });

  test.each([404, 410])(
    "doesn't know the browser any more (%i) is not called again: the subscription is deleted",
    async (status) => {
      service.answers = [status];
      await sendDue();
      expect(await subscribed()).toEqual([]);
      expect(await rows()).toMatchObject([{ state: "dead", last_failure: `the push service answered ${status}` }]);

      await finish();
      await timePasses();
      await sendDue();
      expect(service.asked).toBe(1);
    },
  );

  test("was unsubscribed by the browser itself", async () => {
    service.forget(browser);
    await sendDue();
    expect(await subscribed()).toEqual([]);
  });

  test.each([429, 503, 401, 403])("is busy (%i): the message is retried as often as needed", async (status) => {
    service.answers = [status, status, status];
    for (let turn = 0; turn < 3; turn += 1) {
      await sendDue();
      expect((await rows())[0]).toMatchObject({ state: "pending", unknown_results: 0 });
      await timePasses();
    }
    await sendDue();

    expect((await rows())[0]).toMatchObject({ state: "sent" });
    expect(service.received(browser)).toHaveLength(1);
  });

  test("sends retry-after is retried no earlier, up to an hour", async () => {
    service.answers = [
      { status: 429, retryAfter: "1200" },
      { status: 429, retryAfter: "999999" },
    ];
    const pause = async () => {
      await sendDue();
      const { rows: found } = await sql<{ seconds: number }>`
        select extract(epoch from next_attempt_at - now())::float as seconds from outbox`.execute(database.kysely);
      await timePasses();
      return found[0]?.seconds;
    };

    expect(await pause()).toBeCloseTo(1_200, -2);
    expect(await pause()).toBeCloseTo(3_600, -2);
  });

  test.each([["fails", 500] as const, ["fails on its way", 502] as const, ["breaks off", "drop"] as const])(
    "%s may have accepted it: it is sent once more, and no third time",
    async (_, answer) => {
      service.answers = [answer, answer, answer];
      for (let turn = 0; turn < 4; turn += 1) {
        await sendDue();
        await timePasses();
      }

      expect(service.asked).toBe(2);
      expect((await rows())[0]).toMatchObject({ state: "dead" });
    },
  );

  test.each([400, 413])("refuses the message itself (%i): it is not retried", async (status) => {
    service.answers = [status];
    await sendDue();
    await timePasses();
    await sendDue();

    expect(service.asked).toBe(1);
    expect((await rows())[0]).toMatchObject({ state: "dead" });
    expect(await subscribed()).toHaveLength(1);
  });

  test("can't be reached: the message is retried", async () => {
    await service[Symbol.asyncDispose]();
    await sendDue();

    expect((await rows())[0]).toMatchObject({ state: "pending", unknown_results: 0 });
  });

  test("is no longer allowed gets nothing, though a browser once subscribed with it", async () => {
    await sql`update push_subscriptions set endpoint = 'http://127.0.0.1:22/x'`.execute(database.kysely);
    await sendDue();

    expect(service.asked).toBe(0);
    expect((await rows())[0]).toMatchObject({ state: "dead", last_failure: "the endpoint is not of a push service" });
  });

  test("was not reached when the worker died gets the message after the lease", async () => {
    await sql`update outbox set attempts = 1, unknown_results = 1, next_attempt_at = now() - interval '1 second'`.execute(
      database.kysely,
    );
    await sendDue();

    expect((await rows())[0]).toMatchObject({ state: "sent" });
  });
});

describe("a subscription ends", () => {
  test("with its order, once everything was sent", async () => {
    const browser = await subscribe();
    await pay();
    await subscriptions.prune();
    await sendDue();
    await finish();
    await subscriptions.prune();
    expect(await subscribed()).toHaveLength(1);

    await sendDue();
    await subscriptions.prune();
    expect(await subscribed()).toEqual([]);
    expect(service.received(browser)).toHaveLength(2);
    expect(await rows()).toMatchObject([{ state: "sent" }, { state: "sent" }]);
  });

  test("when it expires, and after a month without a deposit", async () => {
    const remaining = await subscribe("en", new Date(Date.now() + 60_000));
    await subscribe("en", new Date(Date.now() - 1_000));
    const old = await subscribe();
    await sql`update push_subscriptions set created_at = now() - interval '31 days' where endpoint = ${old.endpoint}`.execute(
      database.kysely,
    );
    await subscriptions.prune();

    expect((await subscribed()).map(({ endpoint }) => endpoint)).toEqual([remaining.endpoint]);
  });
});
