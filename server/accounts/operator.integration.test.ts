import { expect, onTestFinished, test } from "vitest";
import { AccountBrowser } from "../../tests/support/http/account-browser.ts";
import { runAccountCommand } from "./index.ts";
import { accountStage, BY_EMAIL, EMAIL } from "../../tests/support/services/account-stage.ts";
import { turnOnSecondFactor } from "../../tests/support/services/sign-in-proofs.ts";

/** A subject beyond ASCII. */
const NOT_ENGLISH = /^Subject: =\?UTF-8\?/m;

const stage = accountStage();

const run = (action: string, { email = EMAIL, why = ["a call by phone", "--as", "bob"] } = {}) =>
  runAccountCommand(
    {
      database: stage.database,
      config: { secondFactorKey: null, formerSecondFactorKey: null, apiKeysKey: null, formerApiKeysKey: null },
    },
    ["account", action, email, ...why],
  );

async function signedIn(locale: "en" | "ru" = "en") {
  const opened = await stage.signedIn({ locale });
  onTestFinished(() => opened.app.close());
  const { body } = await opened.browser.send("accountData");
  const turnOn = () => turnOnSecondFactor(opened.app, opened.browser);
  return { ...opened, subject: `account ${String(body["userId"])}`, turnOn };
}

const recorded = async (subject: string) => {
  const { rows } = await stage.database.pool.query(
    "select operator, reason, action, before, after from operator_actions where subject = $1 order by id",
    [subject],
  );
  return rows;
};

test("a person who lost their second factor signs in again without it, and gets a mail", async () => {
  const { app, subject, turnOn } = await signedIn();
  await turnOn();
  expect(await run("second-factor-off", { email: "ANN@mail.example" })).toBe(`${subject}: the second factor is off`);

  expect(await new AccountBrowser(app).send("authenticateLocal", BY_EMAIL)).toMatchObject({ http: 200 });
  await stage.mails.subject(EMAIL, /^Subject: Two-factor sign-in is off/m);
  expect(await recorded(subject)).toEqual([
    {
      operator: "bob",
      reason: "a call by phone",
      action: "account second-factor-off",
      before: { hasSecondFactor: true },
      after: { hasSecondFactor: false },
    },
  ]);
  const { rowCount } = await stage.database.pool.query("select from recovery_codes");
  expect(rowCount).toBe(0);
  await expect(run("second-factor-off")).rejects.toThrow("This account has no second factor.");
});

test("sessions are ended everywhere, and the mail is in the person's language", async () => {
  const { browser, subject } = await signedIn("ru");
  await stage.mails.subject(EMAIL, NOT_ENGLISH);
  stage.mails.sink.caught.length = 0;
  expect(await run("end-sessions")).toBe(`${subject}: all sessions are ended`);

  expect(await browser.send("accountData")).toMatchObject({ http: 401 });
  expect(await browser.send("refresh", {})).toMatchObject({ http: 401 });
  await stage.mails.subject(EMAIL, NOT_ENGLISH);
  expect(await recorded(subject)).toMatchObject([{ before: { sessions: "1" }, after: { sessions: 0 } }]);
});

test("an administrator's rights need a second factor, which stays until they are revoked", async () => {
  const { browser, subject, turnOn } = await signedIn();
  await expect(run("grant-admin")).rejects.toThrow("An administrator needs a second factor");
  await turnOn();
  expect(await run("grant-admin")).toBe(`${subject}: it is an administrator's`);
  expect(await browser.send("accountData")).toMatchObject({ body: { permissions: "ADMIN" } });
  await stage.mails.subject(EMAIL, /^Subject: .*administrator/m);
  await expect(run("grant-admin")).rejects.toThrow("ADMIN already");
  await expect(run("second-factor-off")).rejects.toThrow("account revoke-admin first");

  await run("revoke-admin");
  expect(await browser.send("accountData")).toMatchObject({ body: { permissions: "USER" } });
  await run("second-factor-off");
  expect((await recorded(subject)).map(({ action }) => action)).toEqual([
    "account grant-admin",
    "account revoke-admin",
    "account second-factor-off",
  ]);
});

test("a command that names nobody, nothing to do, no reason or no operator changes nothing", async () => {
  const { browser } = await signedIn();
  await expect(run("end-sessions", { email: "nobody@mail.example" })).rejects.toThrow("There is no account");
  await expect(run("end-session")).rejects.toThrow("npm run admin -- account");
  await expect(run("constructor")).rejects.toThrow("npm run admin -- account");
  await expect(run("end-sessions", { why: ["--as", "bob"] })).rejects.toThrow("Give a reason");
  await expect(run("end-sessions", { why: ["a reason"] })).rejects.toThrow("Say who you are");
  expect(await browser.send("accountData")).toMatchObject({ http: 200 });
});
