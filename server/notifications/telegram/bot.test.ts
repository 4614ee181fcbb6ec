import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BotApi } from "../../../tests/support/bot-api.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { createLog } from "../../base/log.ts";
import { startBot, type RunningBot } from "./index.ts";

const ANN = { id: 279058397, language_code: "en" };
const log = createLog({ level: "silent" });

let messenger: BotApi;
let bot: RunningBot | null = null;

beforeEach(async () => {
  messenger = await BotApi.start();
});
afterEach(async () => {
  await bot?.stop();
  bot = null;
  await messenger[Symbol.asyncDispose]();
});

const start = (changes: Partial<Parameters<typeof startBot>[0]> = {}) => {
  const parts = { token: messenger.token, apiUrl: messenger.url, publicUrl: "https://wherry.test", webhook: null };
  bot = startBot({ ...parts, mayRun: async () => true, log, ...changes });
};
const answers = () => messenger.calls("sendMessage");
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
    messenger.write(words, ANN);
    await answered();

    expect(opened()).toBe(url);
    expect(answers()[0]).toMatchObject({ chat_id: ANN.id, text: expect.stringMatching(/^Wherry exchanges/) });
  });

  test("with a link that leads nowhere opens the first page, and says so", async () => {
    start();
    messenger.write("/start shop___//evil.example", ANN);
    await answered();

    expect(opened()).toBe("https://wherry.test/");
    expect(answers()[0]?.["text"]).toMatch(/^This link doesn't lead anywhere/);
  });

  test("answers in the person's language, which is one of a region too", async () => {
    start();
    messenger.write("/start aff", { id: 5, language_code: "ru-BY" });
    await answered();

    expect(opened()).toBe("https://wherry.test/ru/affiliate");
    expect(answers()[0]?.["text"]).toMatch(/^Wherry обменивает/);
  });
});

test("the menu button opens the app", async () => {
  start();
  await eventually("the bot asks", () => messenger.calls("getUpdates")[0] ?? null, 10_000);

  expect(messenger.calls("setChatMenuButton")).toEqual([
    { menu_button: { type: "web_app", text: "Open Wherry", web_app: { url: "https://wherry.test/" } } },
  ]);
});

describe("a webhook", () => {
  const webhook = { url: "https://wherry.test/api/v1/telegram/webhook", secret: "secret-of-the-tests" };

  test("is set with its secret, after a failure too, and nothing is asked for", async () => {
    messenger.will("setWebhook", { error: 502 });
    start({ webhook });
    await eventually("the webhook", () => messenger.webhook, 10_000);

    expect(messenger.calls("setWebhook").at(-1)).toEqual({
      url: webhook.url,
      secret_token: webhook.secret,
      allowed_updates: ["message"],
    });
    await bot?.stop();
    expect(messenger.webhook).not.toBeNull();
    expect(messenger.calls("getUpdates")).toEqual([]);
  });

  test("that was chosen before ends with the first question", async () => {
    messenger.webhook = { url: webhook.url, secret_token: webhook.secret };
    start();
    messenger.write("/start", ANN);
    await answered();

    expect(messenger.webhook).toBeNull();
  });
});

test("a site without https has links, since the messenger takes no others as web apps", async () => {
  start({ publicUrl: "http://localhost:3000" });
  messenger.write("/start", ANN);
  await answered();

  expect(opened()).toBeUndefined();
  expect(answers()[0]?.["text"]).toContain("http://localhost:3000/");
  expect(messenger.calls("setChatMenuButton")).toEqual([]);
});

describe("a messenger", () => {
  test("that refuses at first is asked again", async () => {
    messenger.will("setMyCommands", { error: 502 });
    start();
    messenger.write("/start", ANN);
    await answered();

    expect(opened()).toBe("https://wherry.test/");
  });

  test("that takes no answer hears the next one", async () => {
    messenger.will("sendMessage", { error: 403 });
    start();
    messenger.write("/start", ANN);
    messenger.write("/start price___btc", ANN);
    await answered(2);

    expect(opened(1)).toBe("https://wherry.test/price/btc");
  });

  test("is not asked by a worker whose turn it isn't", async () => {
    let asked = 0;
    start({ mayRun: async () => ((asked += 1), false) });
    await eventually("the lease is asked for", () => (asked > 0 ? true : null), 10_000);
    await bot?.stop();

    expect(messenger.asked).toEqual([]);
  });

  test("that says nothing doesn't hold up the end", async () => {
    messenger.will("setChatMenuButton", "hang");
    start();
    await eventually("the bot asks", () => messenger.calls("setChatMenuButton")[0] ?? null, 10_000);
    const stoppedAt = performance.now();
    await bot?.stop();

    expect(performance.now() - stoppedAt).toBeLessThan(6_000);
  });

  test("that can't be reached doesn't hold up the end", async () => {
    await messenger[Symbol.asyncDispose]();
    start();
    await bot?.stop();
    messenger = await BotApi.start();
  });
});
