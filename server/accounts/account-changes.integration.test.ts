import { Secret } from "otpauth";
import { describe, expect, test } from "vitest";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { accountStage, BY_EMAIL, EMAIL, PASSWORD } from "../../tests/support/services/account-stage.ts";
import { launchOf, totpCode } from "../../tests/support/services/sign-in-proofs.ts";

const ASKED = { http: 403, body: { status: "ERR_FORBIDDEN", data: { reauthenticate: true } } };
const TEN_MINUTES = 600;

const stage = accountStage();

const bearer = (answer: { body: Record<string, unknown> }) => ({
  authorization: `Bearer ${String(answer.body["accessToken"])}`,
});

describe("what changes an account", () => {
  test("asks who it is after ten minutes, and takes a password for ten more", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    app.market.advance(TEN_MINUTES - 1);
    expect(await browser.send("exportAccount")).toMatchObject({ http: 200 });
    app.market.advance(1);
    for (const [name, body] of [
      ["changePassword", { password: "quite another phrase" }],
      ["changeEmail", { email: "new@mail.example" }],
      ["linkTelegram", { initData: launchOf(app) }],
      ["unlinkTelegram", undefined],
      ["beginSecondFactor", undefined],
      ["confirmSecondFactor", { code: "123456" }],
      ["removeSecondFactor", undefined],
      ["exportAccount", undefined],
      ["deleteAccount", undefined],
    ] as const)
      expect({ name, ...(await browser.send(name, body as never)) }).toMatchObject({ name, ...ASKED });

    expect(await browser.send("reauthenticate", { password: "another password" })).toMatchObject({
      http: 400,
      body: { status: "ERR_INVALID_CREDENTIALS" },
    });
    expect(await browser.send("reauthenticate", { password: PASSWORD })).toMatchObject({
      http: 200,
      body: { validUntil: new Date(app.market.now.getTime() + TEN_MINUTES * 1000).toISOString() },
    });
    expect(await browser.send("exportAccount")).toMatchObject({ http: 200 });
  });

  test("does not let a refreshed session count as a proof", async () => {
    await using given = await stage.signedIn();
    given.app.market.advance(TEN_MINUTES);
    await given.browser.send("refresh", {});
    expect(await given.browser.send("exportAccount")).toMatchObject(ASKED);
  });
});

describe("sessions", () => {
  test("are listed with their devices, and ended one by one", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    const phone = new AccountBrowser(app);
    app.market.advance(1);
    const agent = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36";
    await phone.send("authenticateLocal", BY_EMAIL, { "user-agent": agent });

    const { body } = await browser.send("sessions");
    expect(body).toMatchObject([
      { kind: "LOCAL", device: "Chrome on Android", isCurrent: false },
      { kind: "LOCAL", isCurrent: true },
    ]);
    const [{ sessionId }] = body as unknown as [{ sessionId: string }];
    expect(await browser.send("endSession", { sessionId })).toMatchObject({ http: 200, body: {} });
    expect(await phone.send("accountData")).toMatchObject({ http: 401 });
    expect(await browser.send("accountData")).toMatchObject({ http: 200 });
  });

  test("of another account can't be ended", async () => {
    await using given = await stage.signedIn();
    const other = new AccountBrowser(given.app);
    await other.send("createLocal", { email: "bob@mail.example", password: PASSWORD });
    await other.send("authenticateLocal", { email: "bob@mail.example", password: PASSWORD });
    const [{ sessionId }] = (await given.browser.send("sessions")).body as unknown as [{ sessionId: string }];
    await other.send("endSession", { sessionId });
    expect(await other.send("endSession", { sessionId: "no session" })).toMatchObject({ http: 404 });
    expect(await given.browser.send("accountData")).toMatchObject({ http: 200 });
  });
});

test("a changed password ends the other sessions and is mailed", async () => {
  await using given = await stage.signedIn();
  const { app, browser } = given;
  const other = new AccountBrowser(app);
  await other.send("authenticateLocal", BY_EMAIL);
  expect(await browser.send("changePassword", { password: "short" })).toMatchObject({
    http: 400,
    body: { data: { password: expect.any(String) } },
  });
  expect(await browser.send("changePassword", { password: "quite another phrase" })).toMatchObject({ http: 200 });
  expect(await browser.send("accountData")).toMatchObject({ http: 200 });
  expect(await other.send("accountData")).toMatchObject({ http: 401 });
  expect(await other.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 400 });
  await stage.mails.subject(EMAIL, /^Subject: Your password was changed/m);
});

describe("a new email", () => {
  const NEW = "new@mail.example";

  test("counts once its mailed code confirms it, and the old one is notified", async () => {
    await using given = await stage.signedIn();
    const { browser } = given;
    expect(await browser.send("changeEmail", { email: NEW })).toMatchObject({ http: 200, body: {} });
    expect(await browser.send("confirmEmail", { code: "00000000" })).toMatchObject({
      http: 400,
      body: { status: "ERR_INVALID_PASSWORD_RESET_CODE" },
    });
    expect(await browser.send("accountData")).toMatchObject({ body: { email: EMAIL } });
    expect(await browser.send("confirmEmail", { code: await stage.mails.code(NEW) })).toMatchObject({ http: 200 });
    expect(await browser.send("accountData")).toMatchObject({ body: { email: NEW } });
    expect(await browser.copy().send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 400 });
    expect(await browser.copy().send("authenticateLocal", { email: NEW, password: PASSWORD })).toMatchObject({
      http: 200,
    });
    await stage.mails.subject(EMAIL, /^Subject: The email address of your account/m);
  });

  test("that somebody else has is only refused to whoever reads its mail", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    await new AccountBrowser(app).send("createLocal", { email: NEW, password: PASSWORD });
    expect(await browser.send("changeEmail", { email: NEW })).toMatchObject({ http: 200, body: {} });
    expect(await browser.send("confirmEmail", { code: await stage.mails.code(NEW) })).toMatchObject({
      http: 409,
      body: { status: "ERR_USER_ALREADY_REGISTERED" },
    });
    expect(await browser.send("accountData")).toMatchObject({ body: { email: EMAIL } });
  });
});

describe("a second factor", () => {
  async function withFactor() {
    const given = await stage.signedIn();
    const { app, browser } = given;
    const begun = (await browser.send("beginSecondFactor")).body as { secret: string; uri: string };
    const wrong = totpCode(begun.secret, new Date(0));
    expect(await browser.send("confirmSecondFactor", { code: wrong })).toMatchObject({ http: 400 });
    expect(await browser.send("accountData")).toMatchObject({ body: { hasSecondFactor: false } });
    const confirmed = await browser.send("confirmSecondFactor", { code: totpCode(begun.secret, app.market.now) });
    expect(confirmed).toMatchObject({ http: 200 });
    app.market.advance(30);
    return { ...given, ...begun, recoveryCodes: confirmed.body["recoveryCodes"] as string[] };
  }

  test("is asked for at each sign-in, and each code is taken once", async () => {
    await using given = await withFactor();
    const { app, browser, secret, uri } = given;
    expect(uri).toContain(`secret=${secret}`);
    const other = new AccountBrowser(app);
    expect(await other.send("authenticateLocal", BY_EMAIL)).toMatchObject({
      http: 403,
      body: { status: "ERR_FORBIDDEN", data: { secondFactor: true } },
    });
    expect(other.cookies.size).toBe(0);
    expect(await other.send("authenticateLocal", { ...BY_EMAIL, code: "000000" })).toMatchObject({ http: 400 });
    const code = totpCode(secret, app.market.now);
    expect(await other.send("authenticateLocal", { ...BY_EMAIL, code })).toMatchObject({ http: 200 });
    expect(await other.copy().send("authenticateLocal", { ...BY_EMAIL, code })).toMatchObject({ http: 400 });
    expect(await browser.send("reauthenticate", { password: PASSWORD })).toMatchObject({
      http: 403,
      body: { data: { secondFactor: true } },
    });
    await stage.mails.subject(EMAIL, /^Subject: Two-factor sign-in is on/m);
  });

  test("has ten recovery codes, each good for one sign-in, and none in the database", async () => {
    await using given = await withFactor();
    const { app, recoveryCodes } = given;
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = ""] = recoveryCodes;
    const { rows } = await stage.database.pool.query<{ all: string }>(
      "select string_agg(r::text, ' ') as all from recovery_codes r",
    );
    expect(rows[0]?.all).not.toContain(Buffer.from(first.replaceAll("-", "")).toString("hex"));
    const other = new AccountBrowser(app);
    const typed = first.toLowerCase().replaceAll("-", " ");
    expect(await other.send("authenticateLocal", { ...BY_EMAIL, code: typed })).toMatchObject({ http: 200 });
    expect(await other.copy().send("authenticateLocal", { ...BY_EMAIL, code: first })).toMatchObject({ http: 400 });
  });

  test("can't be guessed from many addresses by whoever has the password", async () => {
    await using given = await withFactor();
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      const attacker = new AccountBrowser(given.app, `198.51.100.${attempt}`);
      statuses.push((await attacker.send("authenticateLocal", { ...BY_EMAIL, code: "000000" })).http);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
  });

  test("locks nobody out of a session, a known browser or Telegram by the wrong codes of whoever has the password", async () => {
    await using given = await withFactor();
    const { app, browser, recoveryCodes } = given;
    await browser.send("linkTelegram", { initData: launchOf(app) });
    const thief = (n: number) =>
      new AccountBrowser(app, `203.0.113.${n}`).send("authenticateLocal", { ...BY_EMAIL, code: "000000" });
    for (let n = 1; n <= 5; n += 1) await thief(n);
    expect(await thief(6)).toMatchObject({ http: 429 });

    const owner = browser.copy();
    const [first, second, third] = recoveryCodes;
    expect(await owner.send("reauthenticate", { password: PASSWORD, code: first })).toMatchObject({ http: 200 });
    expect(await owner.send("authenticateLocal", { ...BY_EMAIL, code: second })).toMatchObject({ http: 200 });
    const launched = { code: third, initData: launchOf(app) };
    expect(await new AccountBrowser(app).send("authenticateByTelegram", launched)).toMatchObject({ http: 200 });
    // Nor do the owner's codes give the thief new tries.
    expect(await thief(7)).toMatchObject({ http: 429 });
  });

  test("can't be guessed by many browsers that were signed in before it was on", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    const known = Array.from({ length: 4 }, (_one, n) => new AccountBrowser(app, `198.51.100.${n}`));
    for (const one of known) await one.send("authenticateLocal", BY_EMAIL);
    const { secret } = (await browser.send("beginSecondFactor")).body as { secret: string };
    await browser.send("confirmSecondFactor", { code: totpCode(secret, app.market.now) });
    const statuses: number[] = [];
    for (const one of known) {
      statuses.push((await one.send("authenticateLocal", { ...BY_EMAIL, code: "000000" })).http);
      // As after so many by each of ten browsers: those that try next have none of their own.
      if (statuses.length === 1) await stage.database.pool.query("update failed_attempts set failures = 48");
    }
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  test("is off after its removal", async () => {
    await using given = await withFactor();
    expect(await given.browser.send("removeSecondFactor")).toMatchObject({ http: 200 });
    expect(await new AccountBrowser(given.app).send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200 });
    await stage.mails.subject(EMAIL, /^Subject: Two-factor sign-in is off/m);
  });

  test("is neither on nor off without the mail that says so", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    const { secret } = (await browser.send("beginSecondFactor")).body as { secret: string };
    const confirm = () => browser.send("confirmSecondFactor", { code: totpCode(secret, app.market.now) });
    await withoutMails(async () => expect(await confirm()).toMatchObject({ http: 503 }));
    expect(await browser.send("accountData")).toMatchObject({ body: { hasSecondFactor: false } });
    app.market.advance(30);
    expect(await confirm()).toMatchObject({ http: 200 });
    await withoutMails(async () => expect(await browser.send("removeSecondFactor")).toMatchObject({ http: 503 }));
    expect(await browser.send("accountData")).toMatchObject({ body: { hasSecondFactor: true } });
  });

  /** On a disk that takes no more mails. */
  async function withoutMails(work: () => Promise<void>): Promise<void> {
    await stage.database.pool.query(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
      create trigger refuse before insert on outbox for each row execute function refuse()`);
    try {
      await work();
    } finally {
      await stage.database.pool.query("drop function refuse cascade");
    }
  }

  test("leaves its secret encrypted in the database", async () => {
    await using given = await withFactor();
    const { rows } = await stage.database.pool.query<{ secret: Buffer }>("select secret from second_factors");
    const plain = Buffer.from(Secret.fromBase32(given.secret).buffer);
    expect(rows[0]?.secret.includes(plain)).toBe(false);
  });
});

describe("a Telegram user", () => {
  test("is linked, and either way of signing in opens the same account", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    const created = await new AccountBrowser(app).send("createByTelegram", { initData: launchOf(app) });
    const telegramId = Number(created.body["userId"]);
    const { body: me } = await browser.send("accountData");
    expect(await browser.send("linkTelegram", { initData: launchOf(app, { id: 7, ageSeconds: 301 }) })).toMatchObject({
      http: 400,
    });
    expect(await browser.send("linkTelegram", { initData: launchOf(app) })).toMatchObject({ http: 200, body: {} });

    app.market.advance(1);
    const launched = await new AccountBrowser(app).send("authenticateByTelegram", { initData: launchOf(app) });
    expect(launched.body["userId"]).toBe(me["userId"]);
    expect(launched.body["userId"]).not.toBe(telegramId);
    expect(await browser.send("accountData")).toMatchObject({ body: { isTelegramLinked: true } });
    // What was signed in to is no account any more.
    expect(await new AccountBrowser(app).send("accountData", undefined, bearer(created))).toMatchObject({ http: 401 });
    await stage.mails.subject(EMAIL, /^Subject: Telegram was linked/m);
  });

  test("of another email is not moved, and needs the owner's session", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    const other = new AccountBrowser(app);
    await other.send("createLocal", { email: "bob@mail.example", password: PASSWORD });
    await other.send("authenticateLocal", { email: "bob@mail.example", password: PASSWORD });
    await other.send("linkTelegram", { initData: launchOf(app) });
    expect(await browser.send("linkTelegram", { initData: launchOf(app) })).toMatchObject({
      http: 409,
      body: { status: "ERR_USER_ALREADY_REGISTERED" },
    });
    expect(await new AccountBrowser(app).send("linkTelegram", { initData: launchOf(app, { id: 8 }) })).toMatchObject({
      http: 401,
    });
  });

  test("signs in by email inside Telegram with a bearer token", async () => {
    await using given = await stage.signedIn();
    const { app } = given;
    const framed = new AccountBrowser(app);
    const signed = await framed.send("authenticateLocal", { ...BY_EMAIL, initData: launchOf(app) });
    expect(signed).toMatchObject({ http: 200, body: { accessToken: expect.any(String) } });
    framed.cookies.clear();
    app.market.advance(16 * 60);
    expect(await framed.send("accountData", undefined, bearer(signed))).toMatchObject({ http: 200 });
    expect(await framed.send("authenticateLocal", { ...BY_EMAIL, initData: "hash=forged" })).toMatchObject({
      http: 400,
      body: { status: "ERR_INVALID_CREDENTIALS" },
    });
  });
});

describe("an account's end", () => {
  test("deletes everything personal, and its tokens open nothing", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    const tab = browser.copy();
    expect(await browser.send("deleteAccount")).toMatchObject({ http: 200, body: {} });
    expect(await tab.send("accountData")).toMatchObject({ http: 401 });
    expect(await browser.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 400 });
    for (const table of [
      "credentials",
      "sessions",
      "session_tokens",
      "known_browsers",
      "second_factors",
      "mailed_codes",
    ])
      expect({ table, rows: (await stage.database.pool.query(`select from ${table}`)).rowCount }).toEqual({
        table,
        rows: 0,
      });
    const { rows } = await stage.database.pool.query<{ all: string }>("select u::text as all from users u");
    expect(rows[0]?.all).not.toContain(EMAIL);
    await stage.mails.subject(EMAIL, /^Subject: Your account was deleted/m);
    expect(await new AccountBrowser(app).send("createLocal", BY_EMAIL)).toMatchObject({ http: 201 });
  });

  test("is refused while an order of it is open", async () => {
    await using given = await stage.signedIn();
    await stage.database.pool.query(
      `insert into orders (id, reference, state, snapshot, from_slug, to_slug, rate_mode, client_key, version, user_id, created_at)
       select 'A23456789012345678901234', '7KQ4M2XD', 'confirming', '{}', 'eth', 'btc', 'FLOATING', 'c', 1, id, now() from users`,
    );
    expect(await given.browser.send("deleteAccount")).toMatchObject({
      http: 422,
      body: { status: "ERR_UNPROCESSABLE_ENTITY" },
    });
    await stage.database.pool.query("update orders set state = 'completed'");
    expect(await given.browser.send("deleteAccount")).toMatchObject({ http: 200 });
    await stage.database.empty("orders");
  });
});
