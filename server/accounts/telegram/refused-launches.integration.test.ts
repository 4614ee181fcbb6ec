import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { launchData, signedLaunchData, telegramKeys } from "../../../tests/support/services/launch-data.ts";
import { HASHED, SIGNED, TELEGRAM_KEY } from "../../../tests/support/services/launch-vectors.ts";
import { createAccounts } from "../index.ts";
import type { Bot } from "./launch-data.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty("users", "sessions", "failed_attempts"));

/** A service of this bot, at this second of Telegram's clock. */
const serviceOf = (bot: Bot, seconds: number) =>
  testApp(database, {
    config: { rateLimits: { reads: 10_000, writes: 10_000, signIns: 10_000 } },
    accounts: createAccounts({
      database,
      bot,
      areas: [],
      clock: { now: () => new Date() },
      realNow: () => new Date(seconds * 1000),
    }),
  });

const CALLS = ["authenticateByTelegram", "createByTelegram"] as const;

async function send(app: TestApp, name: (typeof CALLS)[number] | "logOut", initData: string | null, token?: string) {
  const answer = await app.inject({
    method: "POST",
    url: calls[name].path,
    ...(initData !== null && { payload: { initData } }),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });
  const { traceId, ...body } = answer.json<Record<string, unknown>>();
  return { http: answer.statusCode, traceId, body };
}

const REFUSED = {
  http: 400,
  traceId: expect.any(String),
  body: { status: "ERR_INVALID_CREDENTIALS", message: "This launch can't be trusted; open the app again" },
};

async function expectRefused(app: TestApp, initData: string, why: string): Promise<void> {
  for (const name of CALLS) expect(await send(app, name, initData), `${name}: ${why}`).toEqual(REFUSED);
}

const accountsMade = async () => (await database.pool.query("select from users")).rowCount;

const without = (initData: string, name: string): string => {
  const fields = new URLSearchParams(initData);
  fields.delete(name);
  return fields.toString();
};

describe.each([
  ["a hash", HASHED, { token: HASHED.token }, (initData: string) => initData.length],
  ["a hash over the signature too", SIGNED, { token: SIGNED.token }, (initData: string) => initData.length],
  // The hash is not checked.
  [
    "Telegram's signature",
    SIGNED,
    { id: SIGNED.id, publicKey: TELEGRAM_KEY },
    (initData: string) => initData.indexOf("&hash="),
  ],
] as const)("the published launch with %s, over HTTP", (_, vector, bot, lengthOf) => {
  test("creates one account, however often it is replayed, and none once it is an hour old", async () => {
    await using app = await serviceOf(bot, vector.at + 3_600);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(app, "createByTelegram", vector.initData)));
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], http: 200 });
    expect(await accountsMade()).toBe(1);

    await using later = await serviceOf(bot, vector.at + 3_601);
    await expectRefused(later, vector.initData, "an hour and a second later");
  });

  test("is refused once its session was ended", async () => {
    await using app = await serviceOf(bot, vector.at);
    const { body } = await send(app, "createByTelegram", vector.initData);
    expect(await send(app, "logOut", null, String(body["accessToken"]))).toMatchObject({ http: 200 });
    await expectRefused(app, vector.initData, "replayed");
  });

  test("is refused after a change of any of its bytes", async () => {
    await using app = await serviceOf(bot, vector.at);
    const { initData } = vector;
    for (let index = 0; index < lengthOf(initData); index += 1) {
      const changed = initData.slice(0, index) + (initData[index] === "0" ? "1" : "0") + initData.slice(index + 1);
      if (new URLSearchParams(changed).toString() === new URLSearchParams(initData).toString()) continue;
      await expectRefused(app, changed, `byte ${index}`);
    }
    expect(await accountsMade()).toBe(0);
  });

  test("is refused without any of its fields, and with its hash in upper case", async () => {
    await using app = await serviceOf(bot, vector.at);
    for (const name of new URLSearchParams(vector.initData).keys())
      await expectRefused(app, without(vector.initData, name), `without ${name}`);
    const upper = vector.initData.replace(/hash=([0-9a-f]{64})/, (__, hash: string) => `hash=${hash.toUpperCase()}`);
    expect(upper).not.toBe(vector.initData);
    await expectRefused(app, upper, "an upper-case hash");
    expect(await accountsMade()).toBe(0);
  });
});

describe("a launch that Telegram's signature proves, without the bot's token", () => {
  const seconds = 1_800_000_000;
  const { publicKey, privateKey } = telegramKeys();
  const bot = { id: "7", publicKey };
  const launchOf = (id: number, token = "7:token") =>
    signedLaunchData(token, privateKey, { auth_date: String(seconds), user: JSON.stringify({ id }) });
  const withHash = (initData: string, hash: string) => initData.replace(/hash=[0-9a-f]{64}/, `hash=${hash}`);
  const hashOf = (initData: string) => new URLSearchParams(initData).get("hash") ?? "";

  test("opens no second session under a changed hash, and none after the log-out", async () => {
    await using app = await serviceOf(bot, seconds);
    const initData = launchOf(7);
    const changed = withHash(initData, "0".repeat(64));

    const { body } = await send(app, "createByTelegram", initData);
    expect(await send(app, "authenticateByTelegram", changed)).toMatchObject({ http: 200, body });
    await send(app, "logOut", null, String(body["accessToken"]));

    await expectRefused(app, changed, "with another hash after the log-out");
  });

  test("doesn't open the session of the user whose hash it carries", async () => {
    await using app = await serviceOf(bot, seconds);
    const victim = await send(app, "createByTelegram", launchOf(7));

    const attacker = await send(app, "createByTelegram", withHash(launchOf(8), hashOf(launchOf(7))));

    expect(attacker.http).toBe(200);
    expect(attacker.body["userId"]).not.toBe(victim.body["userId"]);
    expect(attacker.body["accessToken"]).not.toBe(victim.body["accessToken"]);
  });

  test("has the same session at a process that checks the hash by the token", async () => {
    await using byKey = await serviceOf(bot, seconds);
    await using byToken = await serviceOf({ token: "7:token" }, seconds);
    const initData = launchOf(7);

    const { body } = await send(byKey, "createByTelegram", initData);
    expect(await send(byToken, "authenticateByTelegram", initData)).toMatchObject({ http: 200, body });
    await send(byToken, "logOut", null, String(body["accessToken"]));

    await expectRefused(byKey, initData, "after the log-out at the other process");
  });

  test("is refused when it was signed for another bot", async () => {
    await using app = await serviceOf(bot, seconds);
    await expectRefused(app, launchOf(7, "8:token"), "another bot's");
  });
});

test("one signature beside two bots' hashes, or two users', is one session for each of them", async () => {
  const seconds = 1_800_000_000;
  const fields = { auth_date: String(seconds), signature: Buffer.alloc(64).toString("base64url") };
  const sessions = new Set<unknown>();
  for (const token of ["7:token", "8:token"]) {
    await using app = await serviceOf({ token }, seconds);
    for (const id of [7, 8]) {
      const initData = launchData(token, { ...fields, user: JSON.stringify({ id }) });
      sessions.add((await send(app, "createByTelegram", initData)).body["accessToken"]);
    }
  }
  expect(sessions.size).toBe(4);
});

test("a launch that is signed well is refused at a time of the wrong order of magnitude", async () => {
  const seconds = 1_800_000_000;
  const bot = { token: "1:token" };
  await using app = await serviceOf(bot, seconds);
  const at = (time: string) => launchData(bot.token, { auth_date: time, user: JSON.stringify({ id: 7 }) });

  const wrong = [
    seconds * 1000,
    seconds * 1_000_000,
    Math.round(seconds / 60),
    Math.round(seconds / 1000),
    0,
    -seconds,
  ];
  for (const time of [...wrong.map(String), "", "1.8e9", `0${seconds}`, `${seconds}.0`])
    await expectRefused(app, at(time), `at ${time}`);
  expect(await accountsMade()).toBe(0);
  expect(await send(app, "createByTelegram", at(String(seconds)))).toMatchObject({ http: 200 });
});
