import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { calls, type CallName } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { BOT_TOKEN, testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { launchData } from "../../tests/support/services/launch-data.ts";
import { createAccounts } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty("users", "sessions", "failed_attempts"));

const seconds = (app: TestApp) => Math.floor(app.market.now.getTime() / 1000);
const launchOf = (app: TestApp, id = 7, at = seconds(app)) =>
  launchData(BOT_TOKEN, { auth_date: String(at), user: JSON.stringify({ id, first_name: "<img onerror=alert(1)>" }) });

async function send(app: TestApp, name: CallName, { token, body }: { token?: string; body?: object } = {}) {
  const { method, path } = calls[name];
  const answer = await app.inject({
    method,
    url: path,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(body && { payload: body }),
  });
  const read: { accessToken: string; userId: number; status: string; message: string } = answer.json();
  return { http: answer.statusCode, ...read };
}

const create = (app: TestApp, initData: string) => send(app, "createByTelegram", { body: { initData } });
const authenticate = (app: TestApp, initData: string) => send(app, "authenticateByTelegram", { body: { initData } });

describe("a Telegram user", () => {
  test("is unknown, then created, then known", async () => {
    await using app = await testApp(database);

    expect(await authenticate(app, launchOf(app))).toMatchObject({ http: 404, status: "ERR_NOT_FOUND" });
    const created = await create(app, launchOf(app));
    const again = await authenticate(app, launchOf(app, 7, seconds(app) - 5));

    expect(created).toMatchObject({ http: 200, userId: expect.any(Number) });
    expect(again).toMatchObject({ http: 200, userId: created.userId });
    expect(again.accessToken).not.toBe(created.accessToken);
  });

  test("has one account and one session, however often one launch is replayed", async () => {
    await using app = await testApp(database);
    const initData = launchOf(app);

    const answers = await Promise.all(Array.from({ length: 20 }, () => create(app, initData)));

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await database.pool.query("select from users")).rowCount).toBe(1);
    expect((await database.pool.query("select from sessions")).rowCount).toBe(1);
  });

  test("is another one under another id", async () => {
    await using app = await testApp(database);
    const [one, other] = [await create(app, launchOf(app, 7)), await create(app, launchOf(app, 8))];

    const seen = await send(app, "accountData", { token: other.accessToken });

    expect(one.userId).not.toBe(other.userId);
    expect(seen).toEqual({
      http: 200,
      userId: other.userId,
      email: null,
      permissions: "USER",
      adminPermissionsScope: null,
      isEmailConfirmed: false,
      isTelegramLinked: true,
      hasSecondFactor: false,
      createdAt: app.market.now.toISOString(),
    });
  });

  test("leaves no token in the database", async () => {
    await using app = await testApp(database);
    const { accessToken } = await create(app, launchOf(app));

    const { rows } = await database.pool.query<{ all: string }>(
      "select t::text || s::text as all from session_tokens t join sessions s on s.id = t.session_id",
    );

    expect(rows[0]?.all).not.toContain(Buffer.from(accessToken).toString("hex"));
    expect(rows[0]?.all).not.toContain(accessToken);
  });
});

describe("launch data that is refused", () => {
  test("gets the same answer, whatever is wrong with it", async () => {
    await using app = await testApp(database);
    const good = launchOf(app);
    const bad = [
      "",
      "x",
      good.replace("hash=", "hash=0"),
      good.replace("auth_date=", "auth_date=1"),
      launchOf(app, 7, seconds(app) - 3601),
      launchOf(app, 7, seconds(app) * 1000),
      launchData("8:other-bot", { auth_date: String(seconds(app)), user: '{"id":7}' }),
    ];

    for (const name of ["createByTelegram", "authenticateByTelegram"] as const) {
      const answers = await Promise.all(bad.map((initData) => send(app, name, { body: { initData } })));
      for (const { http, status, message } of answers)
        expect({ http, status, message }).toEqual({
          http: 400,
          status: "ERR_INVALID_CREDENTIALS",
          message: "This launch can't be trusted; open the app again",
        });
    }
    expect((await database.pool.query("select from users")).rowCount).toBe(0);
  });

  test("is all launch data where there is no bot", async () => {
    const clock = { now: () => new Date() };
    await using app = await testApp(database, { accounts: createAccounts({ database, clock, bot: null, areas: [] }) });

    expect(await create(app, launchOf(app))).toMatchObject({ http: 400, status: "ERR_INVALID_CREDENTIALS" });
  });
});

describe("a session", () => {
  test("expires after a day, with a code of its own", async () => {
    await using app = await testApp(database);
    const { accessToken: token } = await create(app, launchOf(app));

    app.market.advance(24 * 3600 - 1);
    expect(await send(app, "accountData", { token })).toMatchObject({ http: 200 });
    app.market.advance(1);
    expect(await send(app, "accountData", { token })).toMatchObject({ http: 418, status: "ERR_IM_A_TEAPOT" });
  });

  test("ends with the log-out, and its launch data opens no other", async () => {
    await using app = await testApp(database);
    const initData = launchOf(app);
    const { accessToken: token } = await create(app, initData);

    expect(await send(app, "logOut", { token })).toMatchObject({ http: 200 });

    expect(await send(app, "accountData", { token })).toMatchObject({ http: 401, status: "ERR_UNAUTHORIZED" });
    expect(await authenticate(app, initData)).toMatchObject({ http: 400, status: "ERR_INVALID_CREDENTIALS" });
    expect(await authenticate(app, launchOf(app, 7, seconds(app) - 1))).toMatchObject({ http: 200 });
  });

  test("is deleted a week after its end", async () => {
    await using app = await testApp(database);
    const accounts = createAccounts({ database, clock: { now: () => app.market.now }, bot: null, areas: [] });
    await create(app, launchOf(app));

    app.market.advance(8 * 86_400 - 1);
    await accounts.prune();
    expect((await database.pool.query("select from sessions")).rowCount).toBe(1);
    app.market.advance(2);
    await accounts.prune();
    expect((await database.pool.query("select from sessions")).rowCount).toBe(0);
  });

  test.each([
    ["nothing", undefined],
    ["another scheme", "Basic dTpw"],
    ["no token", "Bearer "],
    ["an unknown token", "Bearer abc"],
    ["two tokens", "Bearer a b"],
  ])("is not opened by %s", async (_, authorization) => {
    await using app = await testApp(database);
    const answer = await app.inject({
      url: calls.accountData.path,
      headers: { ...(authorization && { authorization }) },
    });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ status: "ERR_UNAUTHORIZED" });
  });

  test("with a bad token fails public calls too, instead of going on as a guest", async () => {
    await using app = await testApp(database);

    expect(await send(app, "health", { token: "unknown" })).toMatchObject({ http: 401 });
  });
});

test("the 41st sign-in of a minute is one too many, and reads go on", async () => {
  await using app = await testApp(database, { config: { rateLimits: { reads: 100, writes: 100, signIns: 40 } } });

  const answers: number[] = [];
  for (let call = 1; call <= 41; call += 1) answers.push((await authenticate(app, "x")).http);

  expect(answers).toEqual([...Array.from({ length: 40 }, () => 400), 429]);
  expect(await send(app, "health")).toMatchObject({ http: 200 });
});
