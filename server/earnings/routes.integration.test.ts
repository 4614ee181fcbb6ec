import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { BOT_TOKEN, PUBLIC_URL, testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { launchData } from "../../tests/support/services/launch-data.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { ADDRESS, EarningsScenario, USDT_TRC20 } from "../../tests/support/scenarios/earnings-scenario.ts";
import { rowViolations } from "../../tests/support/checkers/row-checkers.ts";

const PASSWORD = "a long enough phrase";
const UNIT = 1_000_000n;

let database: TestDatabase;
let scenario: EarningsScenario;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  scenario = new EarningsScenario(database);
  app = await testApp(database, { earnings: await scenario.earnings() });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function signedIn(email: string, referrerAffiliateId?: string) {
  const browser = new AccountBrowser(app);
  const body = { email, password: PASSWORD, ...(referrerAffiliateId !== undefined && { referrerAffiliateId }) };
  expect(await browser.send("createLocal", body)).toMatchObject({ http: 201 });
  expect(await browser.send("authenticateLocal", { email, password: PASSWORD })).toMatchObject({ http: 200 });
  const { body: account } = await browser.send("accountData");
  return { browser, userId: BigInt(Number(account["userId"])) };
}

const get = async (browser: AccountBrowser, url: string) => {
  const cookie = `access=${browser.cookie("access")}`;
  const answer = await app.inject({ method: "GET", url, headers: { cookie } });
  return { http: answer.statusCode, body: answer.json<Record<string, unknown>>() };
};

describe("a registration by a link", () => {
  it("is of its owner for life; an unknown link is refused with the name of its field, and leaves no account", async () => {
    const ann = await signedIn("ann@mail.example");
    const { body } = await ann.browser.send("referrerId");
    const referrerId = String(body["referrerId"]);
    const { userId } = await signedIn("bob@mail.example", referrerId.toLowerCase());
    const bob = database.kysely.selectFrom("users").select("referrer_user_id").where("id", "=", userId);
    expect((await bob.executeTakeFirst())?.referrer_user_id).toBe(ann.userId);
    const unknown = { email: "cat@mail.example", password: PASSWORD, referrerAffiliateId: "00000000" };
    const refused = await new AccountBrowser(app).send("createLocal", unknown);
    expect(refused).toMatchObject({ http: 404, body: { status: "ERR_NOT_FOUND" } });
    expect(refused.body["message"]).toContain("referrerAffiliateId");
    const { referrerAffiliateId: _, ...without } = unknown;
    expect(await new AccountBrowser(app).send("createLocal", without)).toMatchObject({ http: 201 });
  });

  it("in the mini-app is by its start parameter; an unknown one changes nothing", async () => {
    const dan = await signedIn("dan@mail.example");
    const link = String((await dan.browser.send("referrerId")).body["referrerId"]);
    const created = async (id: number, startParam: string) => {
      const auth_date = String(Math.floor(app.market.now.getTime() / 1000));
      const initData = launchData(BOT_TOKEN, { auth_date, user: JSON.stringify({ id }), start_param: startParam });
      const { body } = await new AccountBrowser(app).send("createByTelegram", { initData });
      const user = database.kysely.selectFrom("users").select("referrer_user_id");
      return (await user.where("id", "=", BigInt(Number(body["userId"]))).executeTakeFirst())?.referrer_user_id;
    };
    expect(await created(501, `ref___${link}`)).toBe(dan.userId);
    expect(await created(502, "ref___00000000")).toBeNull();
  });
});

describe("a withdrawal", () => {
  const asked = { ...USDT_TRC20, address: ADDRESS, amount: "10" };

  it("needs somebody who has just proved who they are", async () => {
    expect(await new AccountBrowser(app).send("createWithdrawal", asked)).toMatchObject({ http: 401 });
    const { browser, userId } = await signedIn("eve@mail.example");
    await scenario.credit(userId, 30n * UNIT);
    const stale = new Date(app.market.now.getTime() - 11 * 60_000);
    await database.kysely
      .updateTable("sessions")
      .set({ authenticated_at: stale })
      .where("user_id", "=", userId)
      .execute();
    expect(await browser.send("createWithdrawal", asked)).toMatchObject({
      http: 403,
      body: { status: "ERR_FORBIDDEN", data: { reauthenticate: true } },
    });
    expect(await browser.send("reauthenticate", { password: PASSWORD })).toMatchObject({ http: 200 });
    expect(await browser.send("createWithdrawal", asked)).toMatchObject({ http: 201, body: { status: "PENDING" } });
  });

  it("that is on its way when its session ends is not made", async () => {
    const { browser, userId } = await signedIn("eli@mail.example");
    await scenario.credit(userId, 30n * UNIT);
    const held = await database.pool.connect();
    await held.query("begin");
    await held.query("select id from ledger_accounts for update");
    const late = browser.send("createWithdrawal", asked);
    await eventually("the withdrawal waits", async () => {
      const { rows } = await database.pool.query<{ count: string }>(
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows[0]?.count === "0" ? null : true;
    });
    await database.pool.query("update sessions set ended_at = now() where user_id = $1", [userId]);
    await held.query("rollback");
    held.release();
    expect(await late).toMatchObject({ http: 401, body: { status: "ERR_UNAUTHORIZED" } });
    expect(await scenario.balanceOf(userId)).toBe(30n * UNIT);
  });

  it("with the same key is one withdrawal with one answer", async () => {
    const { browser, userId } = await signedIn("fay@mail.example");
    await scenario.credit(userId, 100n * UNIT);
    const keyed = { "idempotency-key": "k" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser.send("createWithdrawal", asked, keyed)));
    for (const { http, body } of answers) expect({ http, body }).toEqual({ http: 201, body: answers[0]?.body });
    expect(await scenario.balanceOf(userId)).toBe(90n * UNIT);
    const other = await browser.send("createWithdrawal", { ...asked, amount: "11" }, keyed);
    expect(other).toMatchObject({ http: 422, body: { status: "ERR_UNPROCESSABLE_ENTITY" } });
  });

  it("is refused with its code and its field", async () => {
    const { browser, userId } = await signedIn("gus@mail.example");
    await scenario.credit(userId, 20n * UNIT);
    const refused = async (changes: Partial<typeof asked>) => {
      const { http, body } = await browser.send("createWithdrawal", { ...asked, ...changes });
      return [http, body["status"], body["data"] ?? null];
    };
    expect(await refused({ address: "x" })).toEqual([400, "ERR_VALIDATION", { address: "error_address_incorrect" }]);
    expect(await refused({ amount: "9" })).toEqual([422, "ERR_WITHDRAWAL_TOO_SMALL", null]);
    expect(await refused({ amount: "21" })).toEqual([422, "ERR_BALANCE_TOO_LOW", null]);
    expect(await refused({ networkTitle: "ETH" })).toEqual([422, "ERR_NETWORK_NOT_SUPPORTED", null]);
    expect(await refused({ currencyTitle: "BTC" })).toEqual([422, "ERR_BALANCE_NOT_FOUND", null]);
  });
});

it("lists are answered in pages, and nobody sees another's", async () => {
  const { browser, userId } = await signedIn("hal@mail.example");
  for (let n = 1n; n <= 3n; n += 1n) await scenario.credit(userId, n * UNIT);
  const page = await get(browser, "/api/v1/users/wallet/deposits?offset=1&limit=1");
  expect(page).toMatchObject({ http: 200, body: { total: 3, items: [{ amount: "2", source: "ADJUSTMENT" }] } });
  for (const wrong of ["limit=0", "limit=101", "offset=-1", "limit=x"])
    expect((await get(browser, `/api/v1/users/wallet/deposits?${wrong}`)).http).toBe(400);
  const ida = await signedIn("ida@mail.example");
  expect((await get(ida.browser, "/api/v1/users/wallet/deposits")).body).toEqual({ items: [], total: 0 });
  expect((await get(ida.browser, "/api/v1/affiliates/withdrawals")).body).toEqual({ items: [], total: 0 });
  const { body } = await ida.browser.send("referrerId");
  expect(body["link"]).toBe(`${PUBLIC_URL}/?ref=${String(body["referrerId"])}`);
});

it("the total of a list counts what the list has", async () => {
  const { browser, userId } = await signedIn("lea@mail.example");
  await scenario.credit(userId, 2n * UNIT);
  const proposed = { source: "ADJUSTMENT", state: "review", review_reason: "proposed" } as const;
  const credit = { user_id: userId, slug: "usdt-trc20", amount: UNIT, created_at: new Date() };
  await database.kysely
    .insertInto("wallet_credits")
    .values({ ...credit, ...proposed })
    .execute();
  const { body } = await get(browser, "/api/v1/users/wallet/deposits");
  expect(body).toMatchObject({ total: 1, items: [{ amount: "2" }] });
  expect((await get(browser, "/api/v1/affiliates/accruals")).body).toEqual({ items: [], total: 0 });
});

it("an account with a balance is not deleted", async () => {
  const { browser, userId } = await signedIn("jon@mail.example");
  await scenario.credit(userId, UNIT);
  expect(await browser.send("deleteAccount")).toMatchObject({
    http: 422,
    body: { status: "ERR_UNPROCESSABLE_ENTITY" },
  });
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

it("what a Telegram account has earned moves with it to the account that it is linked with", async () => {
  const auth_date = String(Math.floor(app.market.now.getTime() / 1000));
  const initData = launchData(BOT_TOKEN, { auth_date, user: JSON.stringify({ id: 601 }) });
  const { body } = await new AccountBrowser(app).send("createByTelegram", { initData });
  const from = BigInt(Number(body["userId"]));
  await scenario.credit(from, 50n * UNIT);
  const link = await scenario.referrerIdOf(from);
  const { id } = await (
    await scenario.earnings()
  ).withdraw({ userId: from, clientKey: "k" }, { ...USDT_TRC20, address: ADDRESS, amount: "10" });
  const { browser, userId } = await signedIn("kim@mail.example");
  expect(await browser.send("linkTelegram", { initData })).toMatchObject({ http: 200 });
  expect([await scenario.balanceOf(from), await scenario.balanceOf(userId)]).toEqual([0n, 40n * UNIT]);
  expect((await browser.send("referrerId")).body["referrerId"]).toBe(link);
  expect((await get(browser, "/api/v1/users/wallet/withdrawals")).body).toMatchObject({ total: 1, items: [{ id }] });
  // A running number would tell how many movements all accounts have.
  expect(id).toMatch(UUID);
  expect((await get(browser, "/api/v1/users/wallet/deposits")).body).toMatchObject({
    items: [{ id: expect.stringMatching(UUID) }],
  });
  expect(await rowViolations(database)).toEqual([]);
});
