import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BotApi } from "../../../tests/support/services/bot-api.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { PUBLIC_URL, testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { BOT_WEBHOOK_PATH } from "../../base/routes.ts";
import { createSeenUpdates } from "../index.ts";

const SECRET = "secret-of-the-tests";
const ANN = { id: 279058397, language_code: "ru" };

let database: TestDatabase;
let telegram: BotApi;
const webs: TestApp[] = [];

beforeEach(async () => {
  database = await freshDatabase();
  telegram = await BotApi.start();
});
afterEach(async () => {
  for (const web of webs.splice(0)) await web.close();
  await telegram[Symbol.asyncDispose]();
  await database.drop();
});

/** A web process on the test's database, with the address of its webhook. */
async function web(isOn = true): Promise<string> {
  const botWebhook = { secret: SECRET, publicUrl: PUBLIC_URL, seen: createSeenUpdates(database) };
  const app = await testApp(database, isOn ? { botWebhook } : {});
  webs.push(app);
  const url = `${await app.listen({ port: 0, host: "127.0.0.1" })}${BOT_WEBHOOK_PATH}`;
  telegram.webhook = { url, secret_token: SECRET };
  return url;
}
const answers = () => telegram.calls("sendMessage");
const seen = async () => (await database.kysely.selectFrom("bot_updates").select("update_id").execute()).length;

describe("a message to the bot", () => {
  test("is answered as with long polling", async () => {
    await web();

    expect(await telegram.send(telegram.write("/start price___btc", ANN))).toBe(200);
    expect(answers()).toEqual([
      {
        chat_id: ANN.id,
        text: expect.stringMatching(/^Wherry обменивает/),
        reply_markup: {
          inline_keyboard: [[{ text: expect.any(String), web_app: { url: `${PUBLIC_URL}/ru/price/btc` } }]],
        },
      },
    ]);
  });

  test("is answered once, however often and wherever Telegram sends it", async () => {
    const urls = [await web(), await web(), await web()];
    const update = telegram.write("/start", ANN);
    const statuses = await Promise.all([...urls, ...urls].map((url) => telegram.send(update, { url })));

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expect(answers()).toHaveLength(1);
    expect(await telegram.send(telegram.write("/start", ANN))).toBe(200);
    expect(answers()).toHaveLength(2);
  });

  test("in a group is accepted and not answered", async () => {
    await web();
    const { update_id, message } = telegram.write("hello", ANN);
    const group = { update_id, message: { ...message, chat: { id: -5, type: "group", title: "Friends" } } };

    expect(await telegram.send(group)).toBe(200);
    expect(answers()).toEqual([]);
  });
});

describe("a request that is not from Telegram", () => {
  test.each([
    ["with a wrong secret", { "x-telegram-bot-api-secret-token": `${SECRET}x` }],
    ["with half of it", { "x-telegram-bot-api-secret-token": SECRET.slice(0, 8) }],
    ["without one", {}],
  ])("%s is refused, and nothing happens", async (_, headers) => {
    const url = await web();
    const update = telegram.write("/start", ANN);
    const refused = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(update),
    });

    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ status: "ERR_UNAUTHORIZED", traceId: expect.any(String) });
    expect(await seen()).toBe(0);
    expect(await telegram.send(update)).toBe(200);
    expect(answers()).toHaveLength(1);
  });

  test("gets 404 where the bot polls, or where there is none", async () => {
    await web(false);

    expect(await telegram.send(telegram.write("/start", ANN))).toBe(404);
  });
});

test.each([
  ["no update", {}],
  ["a text for a number", { update_id: "1" }],
  ["a number below none", { update_id: -1 }],
])("%s is refused", async (_, body) => {
  const url = await web();
  const refused = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET },
    body: JSON.stringify(body),
  });

  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ status: "ERR_VALIDATION" });
});

test("seen updates are deleted after two days", async () => {
  const updates = createSeenUpdates(database);
  await updates.markSeen(1);
  await updates.markSeen(2);
  await sql`update bot_updates set seen_at = now() - interval '49 hours' where update_id = 1`.execute(database.kysely);
  await updates.prune();

  expect(await updates.markSeen(1)).toBe(true);
  expect(await updates.markSeen(2)).toBe(false);
});
