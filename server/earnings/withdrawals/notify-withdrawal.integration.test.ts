import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import webPush from "web-push";
import { pushNotificationSchema } from "#contract/accounts/push.ts";
import { ADDRESS, USDT_TRC20, withdrawer } from "../../../tests/support/scenarios/earnings-scenario.ts";
import { earningsSetup, type EarningsSetup } from "../../../tests/support/scenarios/earnings-setup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { AccountMails } from "../../../tests/support/services/account-mails.ts";
import { BotApi } from "../../../tests/support/services/bot-api.ts";
import { PushService, type Browser } from "../../../tests/support/services/push-service.ts";
import { loadCatalogue } from "../../catalogue/index.ts";
import { PaymentRefusedError } from "../../chains/port.ts";
import { createPushSender, createPushSubscriptions } from "../../notifications/index.ts";
import { runEarningsCommand } from "../operator.ts";

const UNIT = 1_000_000n;
const CHAT = 77n;
const EMAIL = "ann@mail.example";

let given: EarningsSetup;
beforeEach(async () => {
  given = await earningsSetup();
  await given.scenario.credit(given.ann, 1_000n * UNIT);
});
afterEach(() => given.database.drop());

const account = (change: { email?: string; telegram_id?: bigint; locale?: "en" | "ru" }) =>
  given.database.kysely.updateTable("users").set(change).where("id", "=", given.ann).execute();
/** Its number, by which operators name it. */
const withdraw = async (amount: string) => {
  const { id } = await given.earnings.withdraw(withdrawer(given.ann), { ...USDT_TRC20, address: ADDRESS, amount });
  const { kysely } = given.database;
  const row = await kysely.selectFrom("withdrawals").select("id").where("public_id", "=", id).executeTakeFirstOrThrow();
  return `${row.id}`;
};
const decide = async (end: "approve" | "reject", id: string) =>
  runEarningsCommand(
    { database: given.database, catalogue: await loadCatalogue() },
    `withdrawal ${end} ${id} looked at it --as bob`.split(" "),
  );

/** Mail, bot and push services that really run, and what they have got. */
async function services() {
  const catalogue = await loadCatalogue();
  const bot = await BotApi.start();
  const service = await PushService.start();
  const keys = webPush.generateVAPIDKeys();
  const services = { services: [], sandboxService: service.url };
  const subscriptions = createPushSubscriptions(given.database);
  const push = { sender: createPushSender({ keys, subject: "mailto:a@wherry.test", services }), subscriptions };
  const mails = await new AccountMails(given.database, null, { catalogue, bot, push }).start();
  onTestFinished(async () => {
    for (const one of [mails, bot, service]) await one[Symbol.asyncDispose]();
  });
  const subscribe = async (sessionId: string, browser = service.subscribe(keys.publicKey)) => {
    const { endpoint, keys: given } = browser;
    const subscription = { endpoint, ...given, locale: "ru", expiresAt: null } as const;
    await subscriptions.addToSession(sessionId, subscription, "withOrder");
    return browser;
  };
  return {
    mails,
    bot,
    service,
    subscribe,
    texts: () => bot.calls("sendMessage").map(({ text }) => String(text)),
    notices: (browser: Browser) =>
      service.received(browser).map(({ text }) => pushNotificationSchema.parse(JSON.parse(text))),
  };
}

async function session(userId = given.ann): Promise<string> {
  const id = randomUUID();
  const now = new Date();
  const times = {
    created_at: now,
    last_used_at: now,
    authenticated_at: now,
    expires_at: new Date(now.getTime() + 1e9),
  };
  await given.database.kysely
    .insertInto("sessions")
    .values({ id, user_id: userId, kind: "local", device: null, ...times })
    .execute();
  return id;
}
const end = (id: string) =>
  given.database.kysely.updateTable("sessions").set({ ended_at: new Date() }).where("id", "=", id).execute();

describe("whoever withdraws", () => {
  test("and has Telegram alone hears of each step by the bot, in order, with what was paid", async () => {
    await account({ telegram_id: CHAT, locale: "ru" });
    const { mails, texts } = await services();
    const id = await withdraw("600");
    await decide("approve", id);
    await given.scenario.blocks(given.testEngine, 2);
    await mails.settled();
    expect(texts().map((text) => text.split("\n")[0])).toEqual([
      "Проверяем ваш вывод",
      "Ваш вывод подтверждён",
      "Вывод отправлен",
    ]);
    expect(texts()[0]).toContain("600 USDT");
    expect(texts()[2]).toMatch(/Транзакция: [0-9a-f]{64}/);
    expect(mails.sink.caught).toEqual([]);
  });

  test("hears by mail, bot and push, whichever the account has", async () => {
    await account({ email: EMAIL, telegram_id: CHAT });
    const { mails, texts, subscribe, notices } = await services();
    const browser = await subscribe(await session());
    await decide("reject", await withdraw("600"));
    await mails.settled();
    expect(mails.to(EMAIL).map((raw) => /^Subject: (.*)/m.exec(raw)?.[1])).toEqual([
      expect.stringMatching(/checking|=\?UTF-8/),
      "Your withdrawal was not approved",
    ]);
    expect(texts()).toHaveLength(2);
    expect(notices(browser).map(({ title, path }) => [title, path])).toEqual([
      ["Проверяем ваш вывод", "/ru/profile/wallet"],
      ["Ваш вывод отклонён", "/ru/profile/wallet"],
    ]);
  });

  test("hears that a payment could not be sent, once, and what became of it", async () => {
    await account({ telegram_id: CHAT });
    const { mails, texts } = await services();
    given.scenario.tron.failing.set(ADDRESS.toLowerCase(), new PaymentRefusedError("destination_reverts", "no"));
    const id = await withdraw("50");
    await given.scenario.blocks(given.testEngine, 2);
    await decide("reject", id);
    await mails.settled();
    expect(texts().map((text) => text.split("\n")[0])).toEqual([
      "We’re sending your withdrawal",
      "Your withdrawal is delayed",
      "Your withdrawal was not approved",
    ]);
    expect(texts()[1]).toContain("50 USDT");
  });
});

describe("messages about one withdrawal", () => {
  test("wait for the one before, also while that is tried again; others don't", async () => {
    await account({ telegram_id: CHAT });
    const { mails, bot, texts } = await services();
    bot.will("sendMessage", { error: 429, retryAfter: 1 });
    const first = await withdraw("600");
    await eventually("the first one is refused", () => {
      mails.wake();
      return texts()[0] ?? null;
    });
    await decide("approve", first);
    await withdraw("200");
    await mails.settled();
    expect(texts().map((text) => [text.split("\n")[0], /\d+ USDT/.exec(text)?.[0]])).toEqual([
      ["We’re checking your withdrawal", "600 USDT"],
      ["We’re checking your withdrawal", "200 USDT"],
      ["We’re checking your withdrawal", "600 USDT"],
      ["Your withdrawal was approved", "600 USDT"],
    ]);
  });
});

describe("a push about an account", () => {
  test("contains no amount and no address, and is readable by that browser alone", async () => {
    const { mails, service, subscribe } = await services();
    const browser = await subscribe(await session());
    await withdraw("25");
    await given.scenario.blocks(given.testEngine, 2);
    await mails.settled();
    const received = JSON.stringify(service.received(browser));
    expect(service.received(browser)).toHaveLength(2);
    for (const secret of ["25", "24", "USDT", ADDRESS, EMAIL]) expect(received).not.toContain(secret);
    expect(new Set(service.received(browser).map(({ topic }) => topic)).size).toBe(1);
  });

  test("does not come once its session has ended, nor once another account is signed in there", async () => {
    const { mails, service, subscribe } = await services();
    const [left, stays] = [await session(), await session()];
    const browsers = [await subscribe(left), await subscribe(stays)] as const;
    const bob = await given.scenario.user();
    const shared = await subscribe(await session());
    await subscribe(await session(bob), shared);
    await withdraw("25");
    await end(left);
    await mails.settled();
    expect(browsers.map((browser) => service.received(browser).length)).toEqual([0, 1]);
    expect(service.received(shared)).toEqual([]);
  });
});
