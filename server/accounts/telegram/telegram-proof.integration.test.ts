import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { launchOf, totpCode } from "../../../tests/support/services/sign-in-proofs.ts";

const BY_EMAIL = { email: "ann@mail.example", password: "a long enough phrase" };
const ASKED = { http: 403, body: { status: "ERR_FORBIDDEN", data: { reauthenticate: true } } };
const REFUSED = { http: 422, body: { status: "ERR_UNPROCESSABLE_ENTITY" } };

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty("users", "sessions", "failed_attempts");
});

async function signedIn() {
  const app = await testApp(database);
  const browser = new AccountBrowser(app);
  await browser.send("createLocal", BY_EMAIL);
  expect(await browser.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200 });
  return { app, browser, [Symbol.asyncDispose]: () => app.close() };
}

/** A browser of a Telegram user, and the headers of its session. */
async function launched(app: TestApp, given: Parameters<typeof launchOf>[1] = {}) {
  const browser = new AccountBrowser(app);
  const { http, body } = await browser.send("createByTelegram", { initData: launchOf(app, given) });
  expect(http).toBe(200);
  return { browser, headers: { authorization: `Bearer ${String(body["accessToken"])}` }, userId: body["userId"] };
}

describe("a launch", () => {
  test("proves who it is for ten minutes from Telegram's signature, not from its use", async () => {
    await using given = await signedIn();
    const { app } = given;
    const [fresh, old] = [await launched(app, { ageSeconds: 540 }), await launched(app, { id: 8, ageSeconds: 3500 })];
    const exported = ({ browser, headers }: typeof fresh) => browser.send("exportAccount", undefined, headers);
    expect(await exported(old)).toMatchObject(ASKED);
    const email = "thief@mail.example";
    expect(await old.browser.send("changeEmail", { email }, old.headers)).toMatchObject(ASKED);
    expect(await exported(fresh)).toMatchObject({ http: 200 });
    app.market.advance(60);
    expect(await exported(fresh)).toMatchObject(ASKED);
    const initData = launchOf(app);
    expect(await fresh.browser.send("reauthenticate", { initData }, fresh.headers)).toMatchObject({ http: 200 });
    expect(await exported(fresh)).toMatchObject({ http: 200 });
  });

  test("from a clock ahead of ours proves nothing for longer", async () => {
    await using given = await signedIn();
    const { browser, headers } = await launched(given.app, { ageSeconds: -60 });
    given.app.market.advance(600);
    expect(await browser.send("exportAccount", undefined, headers)).toMatchObject(ASKED);
  });

  test("joins no account that has a second factor to another", async () => {
    await using given = await signedIn();
    const { app, browser: thief } = given;
    const victim = await launched(app);
    const { secret } = (await victim.browser.send("beginSecondFactor", undefined, victim.headers)).body as {
      secret: string;
    };
    const code = totpCode(secret, app.market.now);
    expect(await victim.browser.send("confirmSecondFactor", { code }, victim.headers)).toMatchObject({ http: 200 });
    app.market.advance(1);

    const initData = launchOf(app);
    expect(await thief.send("authenticateByTelegram", { initData })).toMatchObject({ http: 403 });
    expect(await thief.send("linkTelegram", { initData })).toMatchObject(REFUSED);
    expect(await thief.send("accountData")).toMatchObject({ body: { isTelegramLinked: false } });
    expect(await victim.browser.send("accountData", undefined, victim.headers)).toMatchObject({
      body: { userId: victim.userId, isTelegramLinked: true },
    });

    expect(await victim.browser.send("removeSecondFactor", undefined, victim.headers)).toMatchObject({ http: 200 });
    expect(await thief.send("linkTelegram", { initData })).toMatchObject({ http: 200 });
  });
});

describe("a Telegram user that is unlinked", () => {
  test("signs in to the account no more, and its sessions have ended", async () => {
    await using given = await signedIn();
    const { app, browser } = given;
    expect(await browser.send("linkTelegram", { initData: launchOf(app) })).toMatchObject({ http: 200 });
    app.market.advance(1);
    const linked = await launched(app);
    expect(linked.userId).toBe((await browser.send("accountData")).body["userId"]);

    app.market.advance(600);
    expect(await browser.send("unlinkTelegram")).toMatchObject(ASKED);
    await browser.send("reauthenticate", { password: BY_EMAIL.password });
    for (const time of ["once", "again"])
      expect({ time, ...(await browser.send("unlinkTelegram")) }).toMatchObject({ time, http: 200, body: {} });
    expect(await browser.send("accountData")).toMatchObject({ http: 200, body: { isTelegramLinked: false } });
    expect(await linked.browser.send("accountData", undefined, linked.headers)).toMatchObject({ http: 401 });
    const initData = launchOf(app);
    expect(await new AccountBrowser(app).send("authenticateByTelegram", { initData })).toMatchObject({ http: 404 });
    const { rows } = await database.pool.query(
      "select count(*)::int as mails from outbox where topic = 'telegram_unlinked'",
    );
    expect(rows).toEqual([{ mails: 1 }]);
  });

  test("opens no session with a launch that was on its way", async () => {
    await using given = await signedIn();
    const { app, browser } = given;
    await browser.send("linkTelegram", { initData: launchOf(app) });
    app.market.advance(1);
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("update users set telegram_id = null");
    const late = new AccountBrowser(app).send("authenticateByTelegram", { initData: launchOf(app) });
    await eventually("a sign-in at the lock", async () => {
      const { rowCount } = await database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount === 1 || null;
    });
    await holder.query("commit");
    holder.release();
    expect(await late).toMatchObject({ http: 400, body: { status: "ERR_INVALID_CREDENTIALS" } });
  });

  test("is not the account's only way in", async () => {
    await using given = await signedIn();
    const { browser, headers } = await launched(given.app);
    expect(await browser.send("unlinkTelegram", undefined, headers)).toMatchObject(REFUSED);
    expect(await browser.send("accountData", undefined, headers)).toMatchObject({ http: 200 });
  });
});
