import { describe, expect, test } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import { launchOf, totpCode, turnOnSecondFactor } from "../../../tests/support/services/sign-in-proofs.ts";
import { ADDRESS, EarningsScenario, USDT_TRC20 } from "../../../tests/support/scenarios/earnings-scenario.ts";
import { accountStage, EMAIL } from "../../../tests/support/services/account-stage.ts";

const BY_STRANGER = { email: EMAIL, password: "a stranger's phrase" };
const BY_OWNER = { email: EMAIL, password: "the owner's own phrase" };

const UNIT = 1_000_000n;

const stage = accountStage();

async function registeredByStranger(given: Parameters<typeof testApp>[1] = {}) {
  const app = await testApp(stage.database, given);
  const stranger = new AccountBrowser(app, "203.0.113.5");
  await stranger.send("createLocal", BY_STRANGER);
  expect(await stranger.send("authenticateLocal", BY_STRANGER)).toMatchObject({ http: 200 });
  return { app, stranger, [Symbol.asyncDispose]: () => app.close() };
}

async function addFactor(app: TestApp, browser: AccountBrowser): Promise<string> {
  const secret = await turnOnSecondFactor(app, browser);
  app.market.advance(30);
  return secret;
}

async function resetByOwner(app: TestApp, count = 1): Promise<AccountBrowser> {
  const owner = new AccountBrowser(app, "198.51.100.7");
  await owner.send("requestPasswordReset", { email: EMAIL });
  const resetCode = await stage.mails.code(EMAIL, count);
  expect(await owner.send("resetPassword", { ...BY_OWNER, resetCode })).toMatchObject({ http: 200 });
  return owner;
}

describe("whoever registers somebody's address first", () => {
  test("has lost their Telegram link once the mailbox's owner sets a password", async () => {
    await using given = await registeredByStranger();
    const { app, stranger } = given;
    const { body: first } = await stranger.send("accountData");
    expect(await stranger.send("linkTelegram", { initData: launchOf(app) })).toMatchObject({ http: 200 });

    const owner = await resetByOwner(app);
    expect(await owner.send("authenticateLocal", BY_OWNER)).toMatchObject({ http: 200 });
    expect(await owner.send("accountData")).toMatchObject({
      body: { userId: first["userId"], isTelegramLinked: false },
    });
    app.market.advance(1);
    const initData = launchOf(app);
    expect(await new AccountBrowser(app).send("authenticateByTelegram", { initData })).toMatchObject({ http: 404 });
    const { body: own } = await new AccountBrowser(app).send("createByTelegram", { initData });
    expect(own["userId"]).not.toBe(first["userId"]);
    await stage.mails.subject(EMAIL, /^Subject: Telegram was unlinked/m);
  });

  test("locks the mailbox's owner out by no second factor, recovery code or known browser", async () => {
    await using given = await registeredByStranger();
    const { app, stranger } = given;
    await addFactor(app, stranger);

    const owner = await resetByOwner(app);
    expect(await owner.send("authenticateLocal", BY_OWNER)).toMatchObject({ http: 200 });
    expect(await owner.send("accountData")).toMatchObject({ body: { hasSecondFactor: false } });
    await stage.mails.subject(EMAIL, /^Subject: Two-factor sign-in is off/m);
    const { rows } = await stage.database.pool.query(
      "select (select count(*)::int from recovery_codes) as codes, (select count(*)::int from known_browsers) as browsers",
    );
    // The owner's own browser, by the sign-in just now.
    expect(rows).toEqual([{ codes: 0, browsers: 1 }]);
  });

  test("changes nothing with a call that was on its way when the mailbox's owner set a password", async () => {
    await using given = await registeredByStranger();
    const { app, stranger } = given;
    const { secret } = (await stranger.send("beginSecondFactor")).body as { secret: string };
    await stranger.send("changeEmail", { email: "evil@mail.example" });
    const code = await stage.mails.code("evil@mail.example");
    // A row's lock holds all of them up behind the reset.
    const holder = await stage.database.pool.connect();
    await holder.query("begin");
    await holder.query("select id from users for update");
    await holder.query("update sessions set ended_at = now()");
    const late = [
      stranger.copy().send("linkTelegram", { initData: launchOf(app) }),
      stranger.copy().send("changePassword", { password: "another stranger's phrase" }),
      stranger.copy().send("confirmEmail", { code }),
      stranger.copy().send("confirmSecondFactor", { code: totpCode(secret, app.market.now) }),
      stranger.copy().send("deleteAccount"),
      stranger.copy().send("removeSecondFactor"),
      stranger.copy().send("generateApiKey", { name: "a way back in", whiteListIp: "" }),
    ];
    await eventually("all of them at the lock", async () => {
      const { rowCount } = await stage.database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount === late.length || null;
    });
    await holder.query("commit");
    holder.release();
    expect((await Promise.all(late)).map(({ http }) => http)).toEqual(late.map(() => 401));
    const { rows } = await stage.database.pool.query(
      "select telegram_id, email, deleted_at from users union all select null, null, confirmed_at from second_factors",
    );
    expect(rows).toEqual([
      { telegram_id: null, email: EMAIL, deleted_at: null },
      { telegram_id: null, email: null, deleted_at: null },
    ]);
    expect((await stage.database.pool.query("select 1 from api_keys")).rowCount).toBe(0);
  });
});

describe("what the first holder of an address had set", () => {
  const TABLES = [
    "monthly_payouts",
    "known_browsers",
    "api_keys",
    "webhooks",
    "card_users",
    "card_tokens",
    "verifications",
    "verification_tries",
  ];

  /** Everything that outlives a session, with half of the balance on its way to an operator. */
  async function setUp(app: TestApp, browser: AccountBrowser, scenario: EarningsScenario): Promise<bigint> {
    const userId = BigInt(Number((await browser.send("accountData")).body["userId"]));
    await scenario.credit(userId, 1_200n * UNIT);
    const asked = { ...USDT_TRC20, address: ADDRESS, amount: "600" };
    expect(await browser.send("createWithdrawal", asked)).toMatchObject({ http: 201, body: { status: "REVIEW" } });
    expect(await browser.send("setMonthlyPayout", { address: ADDRESS })).toMatchObject({ http: 200 });
    expect(await browser.send("generateApiKey", { name: "theirs", whiteListIp: "" })).toMatchObject({ http: 201 });
    expect(await browser.send("linkTelegram", { initData: launchOf(app) })).toMatchObject({ http: 200 });
    await stage.database.pool.query(
      `with hook as (insert into webhooks (id, user_id, url, secret, created_at)
          values (gen_random_uuid(), $1, 'https://evil.example/', '', now()) returning id),
        delivery as (insert into webhook_deliveries (webhook_id, type, next_attempt_at) select id, 'test', now() from hook),
        checked as (insert into verifications (user_id, status, created_at, decided_at) values ($1, 'PASS', now(), now())),
        tries as (insert into verification_tries (user_id, day, tries) values ($1, now(), 20)),
        card as (insert into card_users (provider, email_digest, user_id) values ('mercuryo', '', $1)),
        token as (insert into card_tokens (digest, user_id) values ('', $1)),
        message as (insert into outbox (channel, user_id, recipient, topic, source_key, payload)
          values ('telegram', $1, '7', 'withdrawal_paid', 'late', '{}')),
        friend as (insert into users default values returning id)
        update users set referrer_user_id = friend.id from friend where users.id = $1`,
      [userId],
    );
    return userId;
  }

  const withEarnings = async () => {
    const scenario = new EarningsScenario(stage.database);
    return { scenario, ...(await registeredByStranger({ earnings: await scenario.earnings() })) };
  };

  /** Which of them have rows of the account. */
  const left = async (userId: bigint) => {
    const counts = await Promise.all(
      TABLES.map(async (table) => {
        const { rows } = await stage.database.pool.query<{ count: number }>(
          `select count(*)::int as count from ${table} where user_id = $1`,
          [userId],
        );
        return [table, rows[0]?.count ?? 0] as const;
      }),
    );
    return counts.filter(([, count]) => count > 0).map(([table]) => table);
  };

  const ofUser = async (userId: bigint) =>
    (
      await stage.database.pool.query(
        `select telegram_id, referrer_user_id, permissions, admin_scope,
          (select count(*)::int from webhook_deliveries) as deliveries,
          (select count(*)::int from sessions s where s.user_id = u.id and ended_at is null) as sessions,
          (select count(*)::int from outbox m where m.user_id = u.id and channel <> 'mail' and m.state = 'pending') as messages,
          (select array_agg(w.state) from withdrawals w where w.user_id = u.id) as withdrawals
        from users u where id = $1`,
        [userId],
      )
    ).rows[0] as unknown;

  test("is gone once the mailbox's owner sets a password, and what was earned is theirs", async () => {
    await using given = await withEarnings();
    const { app, stranger, scenario } = given;
    const userId = await setUp(app, stranger, scenario);
    await stage.database.pool.query("update users set permissions = 'ADMIN', admin_scope = '{kyc}' where id = $1", [
      userId,
    ]);
    expect(await left(userId)).toEqual(TABLES);
    const owner = await resetByOwner(app);
    expect(await left(userId)).toEqual([]);
    expect(await ofUser(userId)).toEqual({
      telegram_id: null,
      referrer_user_id: null,
      permissions: "USER",
      admin_scope: null,
      deliveries: 0,
      sessions: 0,
      messages: 0,
      withdrawals: ["rejected"],
    });
    expect(await scenario.balanceOf(userId)).toBe(1_200n * UNIT);
    await owner.send("authenticateLocal", BY_OWNER);
    expect(await owner.send("monthlyPayout")).toMatchObject({ http: 200, body: { address: null } });
    expect(await owner.send("verificationStatus")).toMatchObject({ body: { status: "NOT_STARTED" } });
    await stage.mails.subject(EMAIL, /^Subject: Settings of your account were removed/m);
  });

  test("stays for whoever confirms the address in a session of theirs, which alone goes on", async () => {
    await using given = await withEarnings();
    const { app, stranger, scenario } = given;
    const userId = await setUp(app, stranger, scenario);
    const elsewhere = new AccountBrowser(app, "203.0.113.9");
    await elsewhere.send("authenticateLocal", BY_STRANGER);
    await stranger.send("changeEmail", { email: EMAIL });
    const code = await stage.mails.code(EMAIL);
    // What was mailed opens nothing by itself.
    const reader = new AccountBrowser(app, "198.51.100.7");
    expect(await reader.send("confirmEmail", { code })).toMatchObject({ http: 401 });
    expect(await reader.send("resetPassword", { ...BY_OWNER, resetCode: code })).toMatchObject({ http: 400 });
    expect(await stranger.send("confirmEmail", { code })).toMatchObject({ http: 200 });
    expect(await elsewhere.send("accountData")).toMatchObject({ http: 401 });
    expect(await stranger.send("accountData")).toMatchObject({ body: { isEmailConfirmed: true } });
    expect(await left(userId)).toEqual(TABLES);
    await resetByOwner(app, 2);
    expect(await ofUser(userId)).toMatchObject({ telegram_id: 7n, withdrawals: ["review"], deliveries: 1 });
  });
});

describe("who has proved their mailbox", () => {
  test("keeps Telegram and the second factor when a password is forgotten", async () => {
    await using given = await registeredByStranger();
    const { app } = given;
    const owner = await resetByOwner(app);
    await owner.send("authenticateLocal", BY_OWNER);
    await owner.send("linkTelegram", { initData: launchOf(app) });
    const secret = await addFactor(app, owner);

    await resetByOwner(app, 2);
    expect(await owner.send("authenticateLocal", BY_OWNER)).toMatchObject({
      http: 403,
      body: { data: { secondFactor: true } },
    });
    const code = totpCode(secret, app.market.now);
    expect(await owner.send("authenticateLocal", { ...BY_OWNER, code })).toMatchObject({ http: 200 });
    expect(await owner.send("accountData")).toMatchObject({ body: { isTelegramLinked: true, hasSecondFactor: true } });
  });

  test("has done so by the code of a new email, and of the one that they have", async () => {
    for (const email of ["new@mail.example", EMAIL]) {
      await using given = await registeredByStranger();
      const { app, stranger: owner } = given;
      await addFactor(app, owner);
      expect(await owner.send("accountData")).toMatchObject({ body: { isEmailConfirmed: false } });
      await owner.send("changeEmail", { email });
      expect(await owner.send("confirmEmail", { code: await stage.mails.code(email) })).toMatchObject({ http: 200 });
      expect(await owner.send("accountData")).toMatchObject({ body: { email, isEmailConfirmed: true } });
      const reset = { email, password: BY_OWNER.password };
      await owner.send("requestPasswordReset", { email });
      const resetCode = await stage.mails.code(email, 2);
      expect(await owner.send("resetPassword", { ...reset, resetCode })).toMatchObject({ http: 200 });
      expect(await owner.send("authenticateLocal", reset)).toMatchObject({ http: 403 });
      await stage.database.empty("users", "sessions", "failed_attempts");
      stage.mails.sink.caught.length = 0;
    }
  });
});
