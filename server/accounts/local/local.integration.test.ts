import { describe, expect, test } from "vitest";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { orderBody, PUBLIC_URL, testApp } from "../../../tests/support/http/http-app.ts";
import { accountStage, BY_EMAIL, EMAIL, PASSWORD } from "../../../tests/support/services/account-stage.ts";

const stage = accountStage();

describe("an account with an email", () => {
  test("is created without a session, welcomed by mail, and signed in to", async () => {
    await using given = await stage.registered();
    const { browser } = given;
    expect(browser.cookies.size).toBe(0);
    expect(await browser.send("accountData")).toMatchObject({ http: 401, body: { status: "ERR_UNAUTHORIZED" } });

    expect(await browser.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200, body: {} });
    expect(await browser.send("accountData")).toMatchObject({
      http: 200,
      body: {
        email: EMAIL,
        isEmailConfirmed: false,
        permissions: "USER",
        isTelegramLinked: false,
        hasSecondFactor: false,
        createdAt: given.app.market.now.toISOString(),
      },
    });
    await stage.mails.subject(EMAIL, /^Subject: Welcome to Wherry/m);
  });

  test("is mailed in the person's language", async () => {
    await using app = await testApp(stage.database);
    await new AccountBrowser(app).send("createLocal", { ...BY_EMAIL, locale: "ru" });
    await stage.mails.subject(EMAIL, /lang="?3?D?"?ru|lang=3D"ru"/);
  });

  test("is the same account however its email is written", async () => {
    await using given = await stage.registered();
    const { browser } = given;
    for (const email of [EMAIL, "ANN@mail.example", "ann@MAIL.example"])
      expect(await browser.send("createLocal", { email, password: PASSWORD })).toMatchObject({
        http: 409,
        body: { status: "ERR_USER_ALREADY_REGISTERED" },
      });
    expect(await browser.send("authenticateLocal", { email: "ANN@Mail.Example", password: PASSWORD })).toMatchObject({
      http: 200,
    });
  });

  test.each([
    ["Иван@почта.рф", "ИВАН@почта.рф"],
    ["Ürsula@mail.example", "ürsula@mail.example"],
    ["İbo@mail.example", "ibo@mail.example"],
    ["mar\u212a@mail.example", "Mark@mail.example"],
  ])("with the email %s is signed in to as it was typed and as %s, which is no second one", async (typed, other) => {
    await using given = await stage.registered();
    const { browser } = given;
    expect(await browser.send("createLocal", { email: typed, password: PASSWORD })).toMatchObject({ http: 201 });
    expect(await browser.send("createLocal", { email: other, password: PASSWORD })).toMatchObject({ http: 409 });
    for (const email of [typed, other])
      expect(await browser.send("authenticateLocal", { email, password: PASSWORD })).toMatchObject({ http: 200 });
    expect(await browser.send("accountData")).toMatchObject({ body: { email: typed } });
    // Tries are those of the account, however it is written.
    const stranger = new AccountBrowser(given.app, "198.51.100.7");
    for (let n = 0; n < 6; n += 1)
      await stranger.send("authenticateLocal", { email: n % 2 === 0 ? typed : other, password: "a wrong long phrase" });
    expect(await stranger.send("authenticateLocal", { email: other, password: PASSWORD })).toMatchObject({ http: 429 });
  });

  test.each([
    ["too short", "9 letters"],
    ["too long", "x".repeat(129)],
    ["common", "qwertyuiop"],
    ["common in capitals", "QWERTYUIOP"],
    ["the email's local part", "customer.of.us"],
    ["the email", "customer.of.us@mail.example"],
  ])("takes no password that is %s", async (_, password) => {
    await using app = await testApp(stage.database);
    const browser = new AccountBrowser(app);
    expect(await browser.send("createLocal", { email: "customer.of.us@mail.example", password })).toMatchObject({
      http: 400,
      body: { status: "ERR_VALIDATION", data: { password: expect.any(String) } },
    });
  });

  test("takes any characters, and compares all of them", async () => {
    await using app = await testApp(stage.database);
    const browser = new AccountBrowser(app);
    const password = ` ${"п😀".repeat(60)}ab `;
    expect(await browser.send("createLocal", { email: EMAIL, password })).toMatchObject({ http: 201 });
    for (const wrong of [password.trim(), `${password.slice(0, -2)}c `])
      expect(await browser.send("authenticateLocal", { email: EMAIL, password: wrong })).toMatchObject({ http: 400 });
    expect(await browser.send("authenticateLocal", { email: EMAIL, password })).toMatchObject({ http: 200 });
  });

  test("leaves neither its password nor its tokens in the database", async () => {
    await using given = await stage.signedIn();
    const { browser } = given;
    await browser.send("refresh", {});
    const tables = [
      "users",
      "credentials",
      "sessions",
      "session_tokens",
      "known_browsers",
      "failed_attempts",
      "outbox",
    ];
    for (const table of tables) {
      const { rows } = await stage.database.pool.query<{ all: string }>(
        `select coalesce(string_agg(t::text, ' '), '') as all from ${table} t`,
      );
      for (const secret of [PASSWORD, ...[...browser.cookies.values()].map(({ value }) => value)])
        expect(`${table}: ${rows[0]?.all}`).not.toContain(secret);
    }
    const { rows } = await stage.database.pool.query<{ password_hash: string }>(
      "select password_hash from credentials",
    );
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe("the cookies", () => {
  test("can't be read by scripts, and the refresh token goes to its own path only", async () => {
    await using given = await stage.registered();
    const { setCookies } = await given.browser.send("authenticateLocal", BY_EMAIL);
    const month = 30 * 86_400;
    expect(setCookies).toEqual([
      expect.stringMatching(
        new RegExp(`^access=[\\w-]{43}; Max-Age=${month}; Path=/; HttpOnly; Secure; SameSite=Lax$`),
      ),
      expect.stringMatching(
        new RegExp(
          `^refresh=[\\w-]{43}; Max-Age=${month}; Path=/api/v1/users/authentication/refresh; HttpOnly; Secure; SameSite=Lax$`,
        ),
      ),
      expect.stringMatching(
        /^browser=[\w-]{43}; .*Path=\/api\/v1\/users\/local\/authenticate; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  test("are sent without TLS on this machine", async () => {
    await using app = await testApp(stage.database, { config: { publicUrl: "http://localhost:3000" } });
    const browser = new AccountBrowser(app);
    const headers = { origin: "http://localhost:3000" };
    await browser.send("createLocal", BY_EMAIL, headers);
    const { setCookies } = await browser.send("authenticateLocal", BY_EMAIL, headers);
    expect(setCookies.join()).not.toContain("Secure");
  });

  test("change nothing on their own from another site, or without saying from where", async () => {
    await using given = await stage.signedIn();
    const { browser } = given;
    const session = `access=${browser.cookie("access")}`;
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: PUBLIC_URL, "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[])
      expect({ headers, ...(await browser.send("logOut", undefined, { ...headers, cookie: session })) }).toMatchObject({
        headers,
        http: 403,
        body: { status: "ERR_FORBIDDEN" },
      });
    const bare = await given.app.inject({
      method: "POST",
      url: "/api/v1/users/authentication/logout",
      headers: { cookie: session },
    });
    expect(bare.statusCode).toBe(403);
    expect(await browser.send("accountData")).toMatchObject({ http: 200 });
  });

  test("are ignored where two have one name, as a sub-domain can set them", async () => {
    await using given = await stage.signedIn();
    const { browser } = given;
    const own = browser.cookie("access");
    for (const cookie of [
      `access=tossed; access=${own}`,
      `access=${own};access=tossed`,
      `access=${own}; refresh=a; refresh=b`,
    ])
      expect({ cookie, ...(await browser.send("accountData", undefined, { cookie })) }).toMatchObject({
        cookie,
        http: 400,
        body: { status: "ERR_BAD_REQUEST" },
      });
    const cookie = `xaccess=a; access=${own}`;
    expect(await browser.send("accountData", undefined, { cookie })).toMatchObject({ http: 200 });
  });

  test("mean nothing to public reads", async () => {
    await using given = await stage.registered();
    expect(await given.browser.send("health", undefined, { cookie: "access=unknown" })).toMatchObject({ http: 200 });
    expect(await given.browser.send("accountData", undefined, { cookie: "access=unknown" })).toMatchObject({
      http: 401,
    });
  });
});

describe("a session", () => {
  test("expires after 15 minutes with a code of its own, and is refreshed", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    app.market.advance(15 * 60 - 1);
    expect(await browser.send("accountData")).toMatchObject({ http: 200 });
    app.market.advance(1);
    expect(await browser.send("accountData")).toMatchObject({ http: 418, body: { status: "ERR_IM_A_TEAPOT" } });
    expect(await browser.send("refresh", { browserFingerprint: "b" })).toMatchObject({ http: 200, body: {} });
    expect(await browser.send("accountData")).toMatchObject({ http: 200 });
  });

  test("never turns an order into a guest's", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    app.market.advance(15 * 60);
    expect(await browser.send("createOrder", orderBody())).toMatchObject({ http: 418 });
    await browser.send("refresh", {});
    const ended = browser.copy();
    await browser.send("logOut");
    expect(await ended.send("createOrder", orderBody())).toMatchObject({ http: 401 });
  });

  test("gives two tabs the same successor", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    const [one, other] = [browser.copy(), browser.copy()];
    const both = await Promise.all([one.send("refresh", {}), other.send("refresh", {})]);
    expect(both.map(({ http }) => http)).toEqual([200, 200]);
    expect(one.cookies).toEqual(other.cookies);
    expect(one.cookie("refresh")).not.toBe(browser.cookie("refresh"));

    app.market.advance(30);
    const late = browser.copy();
    expect(await late.send("refresh", {})).toMatchObject({ http: 200 });
    expect(late.cookies).toEqual(one.cookies);
  });

  test("ends with all its tokens when an old refresh token is used again", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    const stolen = browser.copy();
    await browser.send("refresh", {});
    app.market.advance(31);

    const replay = await stolen.send("refresh", {});
    expect(replay).toMatchObject({ http: 401, body: { status: "ERR_UNAUTHORIZED" } });
    expect(stolen.cookie("refresh")).toBeUndefined();
    expect(await browser.copy().send("refresh", {})).toMatchObject({ http: 401 });
    expect(await browser.send("accountData")).toMatchObject({ http: 401 });
  });

  test("ends a month after its last use, and half a year after the sign-in", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    for (let month = 0; month < 6; month += 1) {
      expect({ month, ...(await browser.send("refresh", {})) }).toMatchObject({ month, http: 200 });
      app.market.advance(29.9 * 86_400);
    }
    app.market.advance(86_400);
    expect(await browser.send("refresh", {})).toMatchObject({ http: 401 });
  });

  test("is ended on the server by the log-out, in every tab", async () => {
    await using given = await stage.signedIn();
    const { browser } = given;
    const tab = browser.copy();
    expect(await browser.send("logOut")).toMatchObject({ http: 200, body: {} });
    expect([...browser.cookies.keys()]).toEqual(["browser"]);
    expect(await tab.copy().send("accountData")).toMatchObject({ http: 401 });
    expect(await tab.copy().send("refresh", {})).toMatchObject({ http: 401 });
  });

  test("is new at each sign-in, whatever cookies the browser had", async () => {
    await using given = await stage.registered();
    const { browser } = given;
    const headers = { cookie: "access=fixed; refresh=fixed" };
    await browser.send("authenticateLocal", BY_EMAIL, headers);
    expect(browser.cookie("access")).not.toBe("fixed");
    expect(await browser.send("accountData", undefined, { cookie: "access=fixed" })).toMatchObject({ http: 401 });
  });
});

describe("wrong credentials", () => {
  test("are answered alike, whether the email has an account or not", async () => {
    await using given = await stage.registered();
    const answers = await Promise.all(
      [EMAIL, "nobody@mail.example", "no email"].map((email) =>
        given.browser.send("authenticateLocal", { email, password: "another password" }),
      ),
    );
    for (const { http, body } of answers)
      expect({ http, status: body["status"], message: body["message"], data: body["data"] }).toEqual({
        http: 400,
        status: "ERR_INVALID_CREDENTIALS",
        message: "The email or the password is wrong",
        data: undefined,
      });
  });

  test("wait after five, longer each time, for unknown emails alike; others and known browsers sign in", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    for (const email of [EMAIL, "nobody@mail.example"]) {
      const attacker = new AccountBrowser(app, "198.51.100.7");
      const wrong = () => attacker.send("authenticateLocal", { email, password: "another password" });
      for (let attempt = 1; attempt <= 5; attempt += 1) expect(await wrong()).toMatchObject({ http: 400 });
      expect(await wrong()).toMatchObject({ http: 429, retryAfter: "15" });
      app.market.advance(15);
      expect(await wrong()).toMatchObject({ http: 400 });
      expect(await wrong()).toMatchObject({ http: 429, retryAfter: "30" });
      attacker.cookies.clear();
      if (email !== EMAIL) continue;
      // Even with the right password from there: a guess that is right must not be distinguished from a wrong one.
      expect(await attacker.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 429 });
    }
    expect(await new AccountBrowser(app, "203.0.113.9").send("authenticateLocal", BY_EMAIL)).toMatchObject({
      http: 200,
    });
    browser.address = "198.51.100.7";
    expect(await browser.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200 });
    await stage.mails.subject(EMAIL, /^Subject: Someone tried to sign in/m);
    expect(stage.mails.to(EMAIL).filter((raw) => /Someone tried/.test(raw))).toHaveLength(1);
  });

  test("from one /64 don't make another /64 of its network wait; the whole network has twenty", async () => {
    await using given = await stage.registered();
    const tryFrom = (address: string, password = "another password") =>
      new AccountBrowser(given.app, address).send("authenticateLocal", { email: EMAIL, password });
    for (let n = 0; n < 6; n += 1) await tryFrom("2001:db8:77:1::1");
    expect(await tryFrom("2001:db8:77:1::2")).toMatchObject({ http: 429 });
    expect(await tryFrom("2001:db8:77:2::1", PASSWORD)).toMatchObject({ http: 200 });
    for (let n = 3; n <= 17; n += 1) expect(await tryFrom(`2001:db8:77:${n}::1`)).toMatchObject({ http: 400 });
    expect(await tryFrom("2001:db8:77:99::1", PASSWORD)).toMatchObject({ http: 429 });
    expect(await tryFrom("2001:db8:78:1::1", PASSWORD)).toMatchObject({ http: 200 });
  });

  test("are not judged twenty at once", async () => {
    await using given = await stage.registered();
    const wrong = () => given.browser.copy().send("authenticateLocal", { email: EMAIL, password: "another password" });
    const answers = await Promise.all(Array.from({ length: 20 }, wrong));
    expect(answers.filter(({ http }) => http === 400)).toHaveLength(5);
    expect(answers.filter(({ http }) => http === 429)).toHaveLength(15);
  });
});

describe("a new password by code", () => {
  const next = { email: EMAIL, password: "quite another phrase" };

  test("ends all sessions, opens none, and is mailed", async () => {
    await using given = await stage.signedIn();
    const { app, browser } = given;
    expect(await browser.send("requestPasswordReset", { email: EMAIL })).toMatchObject({ http: 200, body: {} });
    const resetCode = await stage.mails.code(EMAIL);
    const other = new AccountBrowser(app);
    const typed = ` ${resetCode.slice(0, 4).toLowerCase()}-${resetCode.slice(4)}`;

    expect(await other.send("resetPassword", { ...next, resetCode: typed })).toMatchObject({ http: 200, body: {} });
    expect(other.cookies.size).toBe(0);
    expect(await browser.send("accountData")).toMatchObject({ http: 401 });
    expect(await browser.send("refresh", {})).toMatchObject({ http: 401 });
    expect(await other.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 400 });
    expect(await other.send("authenticateLocal", next)).toMatchObject({ http: 200 });
    expect(await other.send("resetPassword", { ...next, resetCode })).toMatchObject({
      http: 400,
      body: { status: "ERR_INVALID_PASSWORD_RESET_CODE" },
    });
    await stage.mails.subject(EMAIL, /^Subject: Your password was changed/m);
  });

  test("is asked for with one answer, and unknown emails get no mail", async () => {
    await using given = await stage.registered();
    const email = "nobody@mail.example";
    expect(await given.browser.send("requestPasswordReset", { email })).toMatchObject({ http: 200, body: {} });
    await given.browser.send("requestPasswordReset", { email: EMAIL });
    await stage.mails.code(EMAIL);
    expect(stage.mails.to(email)).toEqual([]);
    expect(
      await given.browser.send("resetPassword", { email, password: PASSWORD, resetCode: "00000000" }),
    ).toMatchObject({
      http: 400,
      body: { status: "ERR_INVALID_PASSWORD_RESET_CODE" },
    });
  });

  test("has a code that ends with five wrong tries, half an hour, or a newer one", async () => {
    await using given = await stage.registered();
    const { browser } = given;
    const reset = (resetCode: string) => browser.send("resetPassword", { ...next, resetCode });
    const refused = { http: 400, body: { status: "ERR_INVALID_PASSWORD_RESET_CODE" } };
    await browser.send("requestPasswordReset", { email: EMAIL });
    const first = await stage.mails.code(EMAIL);
    for (let attempt = 1; attempt <= 5; attempt += 1) expect(await reset("00000000")).toMatchObject(refused);
    expect(await reset(first)).toMatchObject(refused);

    await browser.send("requestPasswordReset", { email: EMAIL });
    const second = await stage.mails.code(EMAIL, 2);
    await browser.send("requestPasswordReset", { email: EMAIL });
    const third = await stage.mails.code(EMAIL, 3);
    expect(await reset(second)).toMatchObject(refused);
    await stage.database.pool.query("update mailed_codes set created_at = created_at - interval '31 minutes'");
    expect(await reset(third)).toMatchObject(refused);
    await stage.database.pool.query("update mailed_codes set created_at = created_at + interval '2 minutes'");
    expect(await reset(third)).toMatchObject({ http: 200 });
  });

  test("is not used up by another client's wrong codes: every client has five tries of its own", async () => {
    await using given = await stage.registered();
    const stranger = new AccountBrowser(given.app, "198.51.100.7");
    const refused = { http: 400, body: { status: "ERR_INVALID_PASSWORD_RESET_CODE" } };
    await given.browser.send("requestPasswordReset", { email: EMAIL });
    const resetCode = await stage.mails.code(EMAIL);
    for (let attempt = 1; attempt <= 5; attempt += 1)
      expect(await stranger.send("resetPassword", { ...next, resetCode: "00000000" })).toMatchObject(refused);
    expect(await stranger.send("resetPassword", { ...next, resetCode })).toMatchObject(refused);
    expect(await given.browser.send("resetPassword", { ...next, resetCode })).toMatchObject({ http: 200 });
  });

  test("has twenty tries of one IPv6 network, and a thousand of all clients", async () => {
    await using given = await stage.registered();
    const tryFrom = (address: string, resetCode: string) =>
      new AccountBrowser(given.app, address).send("resetPassword", { ...next, resetCode });
    await given.browser.send("requestPasswordReset", { email: EMAIL });
    const resetCode = await stage.mails.code(EMAIL);
    const triesLeft = async () =>
      (await stage.database.kysely.selectFrom("mailed_codes").select("tries_left").executeTakeFirstOrThrow())
        .tries_left;
    for (let n = 1; n <= 25; n += 1) await tryFrom(`2001:db8:7:${n}::1`, "00000000");
    expect(await triesLeft()).toBe(980);
    expect(await tryFrom("2001:db8:7:99::1", resetCode)).toMatchObject({ http: 400 });
    await stage.database.pool.query("update mailed_codes set tries_left = 0");
    expect(await tryFrom("203.0.113.9", resetCode)).toMatchObject({ http: 400 });
    await stage.database.pool.query("update mailed_codes set tries_left = 1");
    expect(await tryFrom("203.0.113.9", resetCode)).toMatchObject({ http: 200 });
  });

  test("is mailed to the owner of the email, however often somebody else requested it", async () => {
    await using given = await stage.registered();
    const stranger = new AccountBrowser(given.app, "198.51.100.7");
    for (let n = 0; n < 8; n += 1) await stranger.send("requestPasswordReset", { email: EMAIL });
    await stage.mails.code(EMAIL, 5);
    await given.browser.send("requestPasswordReset", { email: EMAIL });
    await stage.mails.code(EMAIL, 6);
    const { count } = await stage.database.kysely
      .selectFrom("outbox")
      .select((is) => is.fn.countAll().as("count"))
      .where("topic", "=", "password_reset")
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(6);
  });

  test("is taken by one of twenty equal calls", async () => {
    await using given = await stage.registered();
    await given.browser.send("requestPasswordReset", { email: EMAIL });
    const resetCode = await stage.mails.code(EMAIL);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => given.browser.copy().send("resetPassword", { ...next, resetCode })),
    );
    expect(answers.filter(({ http }) => http === 200)).toHaveLength(1);
  });
});
