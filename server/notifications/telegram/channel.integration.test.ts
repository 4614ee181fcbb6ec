import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BotApi } from "../../../tests/support/services/bot-api.ts";
import type { TestDatabase } from "../../../tests/support/database/database.ts";
import { askForRefund, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { fakeChainSetup } from "../../../tests/support/chains/fake-chain-setup.ts";
import type { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { sendDueMessages } from "../outbox-runner.ts";
import { createTelegramChannel } from "./channel.ts";

const ANN = 279058397n;
const HALF_ETH = 5n * 10n ** 17n;
const running = new AbortController().signal;
const context = {
  publicUrl: "https://wherry.test",
  nameOf: (slug: string) => ({ ticker: slug.toUpperCase(), network: "Ethereum", memo: null }),
};

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let telegram: BotApi;
let userId: bigint;

beforeEach(async () => {
  ({ database, chain, testEngine } = await fakeChainSetup());
  telegram = await BotApi.start();
  const { rows } = await sql<{ id: bigint }>`insert into users (telegram_id) values (${ANN}) returning id`.execute(
    database.kysely,
  );
  userId = rows[0]?.id ?? 0n;
});
afterEach(async () => {
  await telegram[Symbol.asyncDispose]();
  await database.drop();
});

const create = (changes: Parameters<typeof orderBody>[0] = {}) =>
  testEngine.engine.orderService.create(orderBody(changes), { key: "test", traceId: "test", userId });
const sweep = (publicUrl = context.publicUrl) => {
  const channel = createTelegramChannel({ token: telegram.token, apiUrl: telegram.url }, { ...context, publicUrl });
  return sendDueMessages({ database, channels: new Map([["telegram", channel]]), log: database.log }, running);
};
const pay = async (address: string, amount = HALF_ETH) => {
  chain.deposit(address, "eth", amount);
  chain.mine();
  await testEngine.settle();
};
const rows = () => database.kysely.selectFrom("outbox").selectAll().orderBy("id").execute();
const timePasses = () =>
  sql`update outbox set next_attempt_at = now() - interval '1 second' where next_attempt_at is not null`.execute(
    database.kysely,
  );

describe("the customer of an order that was made in Telegram", () => {
  test("is notified of the deposit and the payout, once each, in the order's language, with a link", async () => {
    const order = await create({ locale: "ru" });
    await sweep();
    expect(telegram.calls("sendMessage")).toEqual([]);

    await pay(order.depositAddress);
    for (let block = 0; block < 8; block += 1) {
      chain.mine();
      await testEngine.settle();
    }
    await sweep();
    await sweep();

    const sent = telegram.calls("sendMessage");
    expect(sent).toHaveLength(2);
    expect(sent[0]).toMatchObject({ chat_id: String(ANN), text: expect.stringContaining(order.reference) });
    expect(sent[0]?.["text"]).toMatch(/\p{Script=Cyrillic}/u);
    expect(sent[1]?.["text"]).toContain("USDT");
    const link = `https://wherry.test/ru/order/${order.orderId}?destinationAddress=${order.destinationAddress}`;
    expect(sent[0]?.["reply_markup"]).toEqual({
      inline_keyboard: [[{ text: expect.any(String), web_app: { url: link } }]],
    });
  });

  test("can stop a refund to a new address, by a button of its own", async () => {
    const order = await create();
    await pay(order.depositAddress);
    await askForRefund(testEngine, order);
    await sweep();

    const sent = telegram.calls("sendMessage").find(({ text }) => String(text).includes("a refund is waiting"));
    const stop = expect.stringMatching(
      new RegExp(`^https://wherry\\.test/stop-refund#orderId=${order.orderId}&token=[\\w-]{43}$`),
    );
    expect(sent?.["reply_markup"]).toEqual({
      inline_keyboard: [
        [{ text: "Stop the refund", web_app: { url: stop } }],
        [{ text: "Open the order", web_app: { url: expect.stringContaining("/order/") } }],
      ],
    });
  });

  test("also gets mail where the order has an email", async () => {
    const order = await create({ userEmail: "ann@example.com" });
    await pay(order.depositAddress);

    expect((await rows()).map(({ channel, topic }) => `${channel} ${topic}`)).toEqual([
      "mail created",
      "mail deposit_seen",
      "telegram deposit_seen",
    ]);
  });

  test("has no message stored there while the account is not linked with Telegram", async () => {
    await sql`update users set telegram_id = null where id = ${userId}`.execute(database.kysely);
    const order = await create({ userEmail: "ann@example.com" });
    await pay(order.depositAddress);
    expect(new Set((await rows()).map(({ channel }) => channel))).toEqual(new Set(["mail"]));
  });

  test("gets a link instead of a button where the site has no https", async () => {
    const order = await create();
    await pay(order.depositAddress);
    await sweep("http://localhost:3000");

    const [sent] = telegram.calls("sendMessage");
    expect(sent?.["reply_markup"]).toBeUndefined();
    expect(sent?.["text"]).toContain(`http://localhost:3000/order/${order.orderId}`);
  });
});

test("a guest's order sends nothing by Telegram", async () => {
  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  await pay(order.depositAddress);

  expect(await rows()).toEqual([]);
});

describe("Telegram", () => {
  beforeEach(async () => {
    const order = await create();
    await pay(order.depositAddress);
  });

  test.each([
    ["was blocked by the user", 403, "dead"],
    ["doesn't know the chat", 400, "dead"],
    ["has had too many messages", 429, "pending"],
    ["doesn't believe the token", 401, "pending"],
  ])("%s", async (_, error, state) => {
    telegram.will("sendMessage", { error, retryAfter: 1 });
    await sweep();

    const [row] = await rows();
    expect(row).toMatchObject({ state, unknown_results: 0, last_failure: `Telegram answered ${error}` });
  });

  test.each([["fails", { error: 502 }] as const, ["says nothing", "drop"] as const])(
    "%s may have accepted it: it is sent once more, and no third time",
    async (_, answer) => {
      telegram.will("sendMessage", answer, answer, answer);
      for (let turn = 0; turn < 4; turn += 1) {
        await sweep();
        await timePasses();
      }

      expect(telegram.calls("sendMessage")).toHaveLength(2);
      expect((await rows())[0]).toMatchObject({ state: "dead" });
    },
  );

  test("can't be reached: the message is retried", async () => {
    await telegram[Symbol.asyncDispose]();
    await sweep();

    expect((await rows())[0]).toMatchObject({
      state: "pending",
      unknown_results: 0,
      last_failure: "Telegram can't be reached",
    });
  });
});
