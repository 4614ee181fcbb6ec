import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BotApi } from "../../../tests/support/services/bot-api.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { createLog } from "../../base/logging/log.ts";
import { startBot, type RunningBot } from "../index.ts";

const ANN = { id: 279058397, language_code: "en" };
const log = createLog({ level: "silent" });

let telegram: BotApi;
let bot: RunningBot | null = null;

beforeEach(async () => {
  telegram = await BotApi.start();
});
afterEach(async () => {
  await bot?.stop();
  bot = null;
  await telegram[Symbol.asyncDispose]();
});

const start = (changes: Partial<Parameters<typeof startBot>[0]> = {}) => {
  const parts = { token: telegram.token, apiUrl: telegram.url, publicUrl: "https://wherry.test", webhook: null };
  bot = startBot({ ...parts, holdsLease: async () => true, log, ...changes });
};
const answers = () => telegram.calls("sendMessage");
const answered = (count = 1) => eventually("the bot's answer", () => (answers().length >= count ? true : null), 10_000);
const opened = (index = 0) => {
  const markup = answers()[index]?.["reply_markup"] as
    | { inline_keyboard: [[{ web_app: { url: string } }]] }
    | undefined;
  return markup?.inline_keyboard[0][0].web_app.url;
};

describe("/start", () => {
  test.each([
    ["/start", "https://wherry.test/"],
    ["/start ex___btc-eth", "https://wherry.test/exchange-btc-eth"],
    ["/start order___pending", "https://wherry.test/order/pending"],
    [
      "/start order___4vJ9kQ2mZ8sT1xY7bN3cR6___EQ__a-b",
      "https://wherry.test/order/4vJ9kQ2mZ8sT1xY7bN3cR6?destinationAddress=EQ__a-b",
    ],
    ["hello", "https://wherry.test/"],
  ])("%s opens %s", async (words, url) => {
    start();
    telegram.write(words, ANN);
    await answered();

    expect(opened()).toBe(url);
    expect(answers()[0]).toMatchObject({ chat_id: ANN.id, text: expect.stringMatching(/^Wherry exchanges/) });
  });

  test("with an unknown link opens the first page, and says so", async () => {
    start();
    telegram.write("/start shop___//evil.example", ANN);
    await answered();

    expect(opened()).toBe("https://wherry.test/");
    expect(answers()[0]?.["text"]).toMatch(/^This link doesn’t open anything in Wherry/);
  });

  test("answers in the person's language, which is one of a region too", async () => {
    start();
    telegram.write("/start aff", { id: 5, language_code: "ru-BY" });
    await answered();

    expect(opened()).toBe("https://wherry.test/ru/affiliate");
    expect(answers()[0]?.["text"]).toMatch(/^Wherry обменивает/);
  });
});

test("who allows messages in the app reads what will come, in their language", async () => {
  start();
  telegram.allowMessages({ id: 5, language_code: "ru" });
  await answered();

  expect(answers()).toMatchObject([{ chat_id: 5, text: expect.stringMatching(/^Здесь мы будем писать вам/) }]);
  expect(opened()).toBe("https://wherry.test/ru/");
});

test("the menu button opens the app", async () => {
  start();
  await eventually("the bot asks", () => telegram.calls("getUpdates")[0] ?? null, 10_000);

  expect(telegram.calls("setChatMenuButton")).toEqual([
    { menu_button: { type: "web_app", text: "Open Wherry", web_app: { url: "https://wherry.test/" } } },
  ]);
});

describe("a webhook", () => {
  const webhook = { url: "https://wherry.test/api/v1/telegram/webhook", secret: "secret-of-the-tests" };

  test("is set with its secret, also after a failure, without polling", async () => {
    telegram.will("setWebhook", { error: 502 });
    start({ webhook });
    await eventually("the webhook", () => telegram.webhook, 10_000);

    expect(telegram.calls("setWebhook").at(-1)).toEqual({
      url: webhook.url,
      secret_token: webhook.secret,
      allowed_updates: ["message"],
    });
    await bot?.stop();
    expect(telegram.webhook).not.toBeNull();
    expect(telegram.calls("getUpdates")).toEqual([]);
  });

  test("that was set before is removed by polling", async () => {
    telegram.webhook = { url: webhook.url, secret_token: webhook.secret };
    start();
    telegram.write("/start", ANN);
    await answered();

    expect(telegram.webhook).toBeNull();
  });
});

test("a site without https has links, since Telegram accepts web apps over https only", async () => {
  start({ publicUrl: "http://localhost:3000" });
  telegram.write("/start", ANN);
  await answered();

  expect(opened()).toBeUndefined();
  expect(answers()[0]?.["text"]).toContain("http://localhost:3000/");
  expect(telegram.calls("setChatMenuButton")).toEqual([]);
});

describe("Telegram", () => {
  test("that refuses at first is tried again", async () => {
    telegram.will("setMyCommands", { error: 502 });
    start();
    telegram.write("/start", ANN);
    await answered();

    expect(opened()).toBe("https://wherry.test/");
  });

  test("that rejects a reply gets the next one", async () => {
    telegram.will("sendMessage", { error: 403 });
    start();
    telegram.write("/start", ANN);
    telegram.write("/start price___btc", ANN);
    await answered(2);

    expect(opened(1)).toBe("https://wherry.test/price/btc");
  });

  test("is not polled by a worker without the lease", async () => {
    let asked = 0;
    start({ holdsLease: async () => ((asked += 1), false) });
    await eventually("the lease is asked for", () => (asked > 0 ? true : null), 10_000);
    await bot?.stop();

    expect(telegram.asked).toEqual([]);
  });

  test("that doesn't answer doesn't delay the stop", async () => {
    telegram.will("setChatMenuButton", "hang");
    start();
    await eventually("the bot asks", () => telegram.calls("setChatMenuButton")[0] ?? null, 10_000);
    const stoppedAt = performance.now();
    await bot?.stop();

    expect(performance.now() - stoppedAt).toBeLessThan(6_000);
  });

  test("that can't be reached doesn't delay the stop", async () => {
    await telegram[Symbol.asyncDispose]();
    start();
    await bot?.stop();
    telegram = await BotApi.start();
  });
});
