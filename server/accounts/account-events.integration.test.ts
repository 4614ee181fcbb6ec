import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { calls, type CallName } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { testApp } from "../../tests/support/http/http-app.ts";
import { AccountMails } from "../../tests/support/services/account-mails.ts";
import type { SecurityEvent } from "../base/logging/security-log.ts";

const EMAIL = "ann@mail.example";
const PASSWORD = "a long enough phrase";
const BY_EMAIL = { email: EMAIL, password: PASSWORD };

let database: TestDatabase;
let mails: AccountMails;
beforeAll(async () => {
  database = await freshDatabase();
  mails = await new AccountMails(database).start();
});
afterAll(async () => {
  await mails[Symbol.asyncDispose]();
  await database.drop();
});
beforeEach(() => database.pool.query("truncate users, sessions, failed_attempts cascade"));

/** A signed-in browser, and what the security log gets of its calls after that. */
async function signedIn() {
  const events: SecurityEvent[] = [];
  const app = await testApp(database, { securityLog: { record: (event) => events.push(event) > 0 } });
  onTestFinished(() => app.close());
  const browser = new AccountBrowser(app);
  await browser.send("createLocal", BY_EMAIL);
  expect(await browser.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200 });
  const userId = String((await browser.send("accountData")).body["userId"]);
  events.length = 0;
  const turnOn = async () => {
    const { secret } = (await browser.send("beginSecondFactor")).body as { secret: string };
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.market.now.getTime() });
    expect(await browser.send("confirmSecondFactor", { code })).toMatchObject({ http: 200 });
  };
  return { app, browser, events, userId, turnOn };
}

const by = (name: CallName) => ({ client: "192.0.2.1", route: calls[name].path, traceId: expect.any(String) });

test("a wrong password, a wrong mailed code and launch data that is refused have names of their own", async () => {
  const { app, events } = await signedIn();
  const other = new AccountBrowser(app);
  await other.send("authenticateLocal", { ...BY_EMAIL, password: "another long phrase" });
  await other.send("resetPassword", { ...BY_EMAIL, resetCode: "00000000" });
  await other.send("authenticateByTelegram", { initData: "hash=forged" });
  await other.send("authenticateLocal", { ...BY_EMAIL, initData: "hash=forged" });

  expect(events).toEqual([
    { event: "sign-in.refused", ...by("authenticateLocal") },
    { event: "sign-in.refused", ...by("resetPassword") },
    { event: "launch.refused", ...by("authenticateByTelegram") },
    { event: "launch.refused", ...by("authenticateLocal") },
  ]);
});

test("a second factor that is turned on and off, and a wrong code of it; the usual request for a code is nothing", async () => {
  const { app, browser, events, userId, turnOn } = await signedIn();
  await turnOn();
  const other = new AccountBrowser(app);
  expect(await other.send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 403 });
  expect(await other.send("authenticateLocal", { ...BY_EMAIL, code: "000000" })).toMatchObject({ http: 400 });
  await browser.send("removeSecondFactor");
  await browser.send("removeSecondFactor");

  expect(events).toEqual([
    { event: "second-factor.changed", ...by("confirmSecondFactor"), userId, to: "on" },
    { event: "sign-in.refused", ...by("authenticateLocal") },
    { event: "second-factor.changed", ...by("removeSecondFactor"), userId, to: "off" },
  ]);
});

test("a new password by either way, and a new email", async () => {
  const { browser, events, userId } = await signedIn();
  await browser.send("changePassword", { password: "another long phrase" });
  await browser.send("changeEmail", { email: "new@mail.example" });
  await browser.send("confirmEmail", { code: await mails.code("new@mail.example") });
  await browser.send("requestPasswordReset", { email: "new@mail.example" });
  const resetCode = await mails.code("new@mail.example", 2);
  await browser.send("resetPassword", { email: "new@mail.example", password: PASSWORD, resetCode });
  expect(events).toEqual([
    { event: "password.changed", ...by("changePassword"), userId },
    { event: "email.changed", ...by("confirmEmail"), userId },
    { event: "password.changed", ...by("resetPassword"), userId },
  ]);
});

test("the usual request to prove again who it is, is no forbidden call", async () => {
  const { app, browser, events } = await signedIn();
  app.market.advance(601);
  expect(await browser.send("changePassword", { password: "another long phrase" })).toMatchObject({ http: 403 });
  expect(events).toEqual([]);
});
