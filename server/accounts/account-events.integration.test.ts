import { expect, onTestFinished, test } from "vitest";
import { calls, type CallName } from "#contract/calls.ts";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import type { SecurityEvent } from "../base/logging/security-log.ts";
import { accountStage, BY_EMAIL, PASSWORD } from "../../tests/support/services/account-stage.ts";
import { launchOf, turnOnSecondFactor } from "../../tests/support/services/sign-in-proofs.ts";

const stage = accountStage();

/** A signed-in browser, and what the security log gets of its calls after that. */
async function signedIn() {
  const events: SecurityEvent[] = [];
  const opened = await stage.signedIn({ securityLog: { record: (event) => events.push(event) > 0 } });
  onTestFinished(() => opened.app.close());
  const userId = String((await opened.browser.send("accountData")).body["userId"]);
  events.length = 0;
  return { ...opened, events, userId, turnOn: () => turnOnSecondFactor(opened.app, opened.browser) };
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
  await browser.send("confirmEmail", { code: await stage.mails.code("new@mail.example") });
  await browser.send("requestPasswordReset", { email: "new@mail.example" });
  const resetCode = await stage.mails.code("new@mail.example", 2);
  await browser.send("resetPassword", { email: "new@mail.example", password: PASSWORD, resetCode });
  expect(events).toEqual([
    { event: "password.changed", ...by("changePassword"), userId },
    { event: "email.changed", ...by("confirmEmail"), userId },
    { event: "password.changed", ...by("resetPassword"), userId },
  ]);
});

test("a Telegram user that is linked and unlinked, once each, and a key from its making to its end", async () => {
  const { app, browser, events, userId } = await signedIn();
  for (let times = 0; times < 2; times += 1) await browser.send("linkTelegram", { initData: launchOf(app) });
  for (let times = 0; times < 2; times += 1) await browser.send("unlinkTelegram");
  const { apiId } = (await browser.send("generateApiKey", { name: "shop" })).body as { apiId: string };
  await browser.send("updateApiKey", { apiId, name: "shop", whiteListIp: "192.0.2.7", isActive: true });
  await browser.send("deleteApiKey", { apiId });
  expect(events).toEqual([
    { event: "telegram.changed", ...by("linkTelegram"), userId, to: "linked" },
    { event: "telegram.changed", ...by("unlinkTelegram"), userId, to: "unlinked" },
    { event: "api_key.created", ...by("generateApiKey"), userId },
    { event: "api_key.changed", ...by("updateApiKey"), userId },
    { event: "api_key.deleted", ...by("deleteApiKey"), userId },
  ]);
});

test("a session that ends, and none for one that isn't there", async () => {
  const { app, browser, events, userId } = await signedIn();
  const other = new AccountBrowser(app);
  await other.send("authenticateLocal", BY_EMAIL);
  const listed = (await browser.send("sessions")).body as unknown as { sessionId: string; isCurrent: boolean }[];
  const sessionId = listed.find(({ isCurrent }) => !isCurrent)?.sessionId ?? "";
  events.length = 0;
  for (let times = 0; times < 2; times += 1) await browser.send("endSession", { sessionId });
  await browser.send("endSession", { sessionId: crypto.randomUUID() });
  expect(events).toEqual([{ event: "session.ended", ...by("endSession"), userId }]);
});

test("the usual request to prove again who it is, is no forbidden call", async () => {
  const { app, browser, events } = await signedIn();
  app.market.advance(601);
  expect(await browser.send("changePassword", { password: "another long phrase" })).toMatchObject({ http: 403 });
  expect(events).toEqual([]);
});
