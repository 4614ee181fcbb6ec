import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually } from "../../tests/support/eventually.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { AccountMails } from "../../tests/support/services/account-mails.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";

const PASSWORD = "a long enough phrase";
const LIMITS = { perRecipient: 3, perClient: 4 };

let database: TestDatabase;
let mails: AccountMails;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  mails = await new AccountMails(database, LIMITS).start();
  app = await testApp(database);
});
afterAll(async () => {
  await app.close();
  await mails[Symbol.asyncDispose]();
  await database.drop();
});
beforeEach(async () => {
  await database.empty("users", "sessions", "failed_attempts", "account_mail_counts");
  mails.sink.caught.length = 0;
});

const at = (address: string) => new AccountBrowser(app, address);
const create = (email: string, browser: AccountBrowser) => browser.send("createLocal", { email, password: PASSWORD });
async function signedIn(email: string, browser: AccountBrowser): Promise<AccountBrowser> {
  await create(email, browser);
  expect(await browser.send("authenticateLocal", { email, password: PASSWORD })).toMatchObject({ http: 200 });
  return browser;
}
/** How many mails were sent, once all of them have been judged. */
async function sent(): Promise<number> {
  await mails.settled();
  return mails.sink.caught.length;
}

test("one mailbox is welcomed three times a day, however it is written and whoever registers it", async () => {
  for (let n = 0; n < 8; n += 1) {
    const email = n % 2 === 0 ? `s.tranger+${n}@gmail.com` : `stranger+${n}@googlemail.com`;
    expect(await create(email, at(`198.51.100.${n}`))).toMatchObject({ http: 201 });
  }
  expect(await sent()).toBe(3);
  await database.pool.query("update account_mail_counts set counted_at = counted_at - interval '25 hours'");
  await create("stranger+99@gmail.com", at("198.51.100.99"));
  expect(await sent()).toBe(4);
});

test("one client causes four, and an IPv6 network four times as many, whomever they reach", async () => {
  for (let n = 0; n < 7; n += 1) await create(`a${n}@mail.example`, at("198.51.100.1"));
  expect(await sent()).toBe(4);
  for (let n = 0; n < 20; n += 1) await create(`b${n}@mail.example`, at(`2001:db8:7:${n}::1`));
  expect(await sent()).toBe(4 + 16);
});

test("an account that is deleted and made again starts nothing anew", async () => {
  for (let n = 0; n < 5; n += 1) {
    const owner = await signedIn("again@mail.example", at(`198.51.100.${n}`));
    await mails.settled();
    expect(await owner.send("deleteAccount")).toMatchObject({ http: 200 });
  }
  await mails.settled();
  expect(mails.to("again@mail.example").filter((raw) => /^Subject: Welcome/m.test(raw))).toHaveLength(3);
});

test("codes for a change of email reach an unknown mailbox three times, whoever requests them", async () => {
  for (let n = 0; n < 3; n += 1) {
    const browser = await signedIn(`sender${n}@mail.example`, at(`203.0.113.${n}`));
    for (let i = 0; i < 3; i += 1) await browser.send("changeEmail", { email: "inbox@mail.example" });
  }
  await mails.settled();
  expect(mails.to("inbox@mail.example")).toHaveLength(3);
});

test("a mailbox that an unknown sender filled still gets its codes for a new password, and notices", async () => {
  const email = "ann@mail.example";
  const owner = await signedIn(email, at("192.0.2.1"));
  for (let n = 0; n < 5; n += 1) await create(`ann+${n}@mail.example`, at(`198.51.100.${n}`));
  expect(await sent()).toBe(3);
  await owner.send("requestPasswordReset", { email });
  await mails.code(email);
  await owner.send("changePassword", { password: "quite another phrase" });
  await mails.subject(email, /^Subject: Your password was changed/m);
});

test("a code beyond the limits does not end the one before it", async () => {
  const email = "ann@mail.example";
  const owner = at("192.0.2.1");
  await create(email, owner);
  for (let n = 0; n < 12; n += 1) await at(`198.51.100.${n}`).send("requestPasswordReset", { email });
  const resetCode = await mails.code(email, 12);
  for (let n = 0; n < 3; n += 1) await at(`203.0.113.${n}`).send("requestPasswordReset", { email });
  expect(await sent()).toBe(1 + 12);
  expect(await owner.send("resetPassword", { email, password: "quite another phrase", resetCode })).toMatchObject({
    http: 200,
  });
});

test("one client uses up no mailbox's codes for a new password, and ends none that the owner has", async () => {
  const email = "ann@mail.example";
  const owner = at("192.0.2.1");
  await create(email, owner);
  await owner.send("requestPasswordReset", { email });
  const resetCode = await mails.code(email);
  for (let n = 0; n < 12; n += 1) {
    if (n % 4 === 0) app.market.advance(16 * 60);
    await at("203.0.113.7").send("requestPasswordReset", { email });
    await at(`2001:db8:7:${n}::1`).send("requestPasswordReset", { email });
  }
  await eventually("all that was asked for", async () => {
    const { rowCount } = await database.pool.query("select from outbox where topic = 'password_reset'");
    return rowCount === 25 || null;
  });
  // Of the twelve that a mailbox gets: one address three, a network's eight.
  expect(await sent()).toBe(1 + 1 + 3 + 8);
  await database.pool.query("delete from account_mail_counts where network_hash is not null");
  await at("192.0.2.9").send("requestPasswordReset", { email });
  await mails.code(email, 13);
  expect(await owner.send("resetPassword", { email, password: "quite another phrase", resetCode })).toMatchObject({
    http: 200,
  });
});

test("whoever proved their mailbox gets each notice and warning, whatever other accounts and topics caused", async () => {
  const email = "ann@mail.example";
  const owner = await signedIn(email, at("192.0.2.1"));
  await database.pool.query("update users set email_confirmed_at = now()");
  const stranger = await signedIn("ann+1@mail.example", at("203.0.113.7"));
  for (let n = 0; n < 13; n += 1) await stranger.send("changePassword", { password: `a long enough phrase ${n}` });
  await mails.settled();
  expect(mails.to("ann+1@mail.example").filter((raw) => /^Subject: Your password was changed/m.test(raw))).toHaveLength(
    12,
  );
  for (let n = 0; n < 13; n += 1) await owner.send("changePassword", { password: `a long enough phrase ${n}` });
  await owner.send("generateApiKey", { name: "key", whiteListIp: "" });
  await mails.settled();
  expect(mails.to(email).filter((raw) => /^Subject: Your password was changed/m.test(raw))).toHaveLength(12);
  await mails.subject(email, /^Subject: .*API key/m);
});

test("registrations by somebody else keep neither a code to confirm the email nor a warning from the owner", async () => {
  const email = "ann@mail.example";
  const owner = await signedIn(email, at("192.0.2.1"));
  const stranger = at("203.0.113.7");
  for (let n = 0; n < 5; n += 1) await create(`ann+${n}@mail.example`, stranger);
  for (let n = 0; n < 3; n += 1) {
    await signedIn(`ann+x${n}@mail.example`, stranger);
    await stranger.send("changeEmail", { email: "ann+other@mail.example" });
  }
  await mails.settled();
  await owner.send("changeEmail", { email });
  await mails.code(email);
  for (let n = 0; n < 5; n += 1) await stranger.send("authenticateLocal", { email, password: "a wrong long phrase" });
  await mails.subject(email, /^Subject: Someone tried to sign in/m);
});
