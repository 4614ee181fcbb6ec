import { describe, expect, test } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { AccountBrowser } from "../../../tests/support/http/account-browser.ts";
import { accountStage, EMAIL as OLD } from "../../../tests/support/services/account-stage.ts";

const NEW = "new@mail.example";
const THIEF = { email: NEW, password: "the thief's own phrase" };
const REFUSED = { http: 400, body: { status: "ERR_INVALID_PASSWORD_RESET_CODE" } };

const stage = accountStage();

async function signedIn() {
  const opened = await stage.signedIn();
  await stage.mails.subject(OLD, /^Subject: Welcome/m);
  return { ...opened, thief: new AccountBrowser(opened.app, "203.0.113.70") };
}

/** Asks for a code that the old mailbox's server refuses for now. */
async function deferredReset(browser: AccountBrowser): Promise<void> {
  stage.mails.sink.replies = [451];
  await browser.send("requestPasswordReset", { email: OLD });
  await eventually("a code that waits", async () => {
    stage.mails.wake();
    const { rowCount } = await stage.database.pool.query(
      "update outbox set next_attempt_at = now() + interval '1 hour' where last_failure is not null",
    );
    return rowCount === 1 || null;
  });
}

async function changeEmail(browser: AccountBrowser): Promise<void> {
  await browser.send("changeEmail", { email: NEW });
  expect(await browser.send("confirmEmail", { code: await stage.mails.code(NEW) })).toMatchObject({ http: 200 });
}

const pendingCodes = async () =>
  (
    await stage.database.pool.query(
      "select topic, recipient from outbox where state = 'pending' and topic ~ 'reset|change$'",
    )
  ).rows as unknown[];

describe("a code for a new password", () => {
  test("that waits for its mail server is never sent once the account has another email", async () => {
    await using given = await signedIn();
    await deferredReset(given.thief);
    await changeEmail(given.browser);
    expect(await pendingCodes()).toEqual([]);
  });

  test("is not written for a mailbox that is the account's no more, by a worker that has its row", async () => {
    await using given = await signedIn();
    const { browser, thief } = given;
    await changeEmail(browser);
    await stage.database.pool.query(
      `insert into outbox (channel, user_id, recipient, topic, source_key, payload)
       select 'mail', id, $1, 'password_reset', 'late', '{}' from users`,
      [OLD],
    );
    stage.mails.wake();
    await eventually("a mail that is given up", async () => {
      const { rows } = await stage.database.pool.query("select state from outbox where source_key = 'late'");
      return (rows[0] as { state: string }).state === "dead" || null;
    });
    expect(stage.mails.to(OLD).join("\n")).not.toContain("Code: ");
    expect(await thief.send("resetPassword", { ...THIEF, resetCode: "00000000" })).toMatchObject(REFUSED);
  });

  test("counts for the mailbox alone that it was sent to", async () => {
    await using given = await signedIn();
    await given.thief.send("requestPasswordReset", { email: OLD });
    const resetCode = await stage.mails.code(OLD);
    await stage.database.pool.query("update users set email = $1", [NEW]);
    expect(await given.thief.send("resetPassword", { ...THIEF, resetCode })).toMatchObject(REFUSED);
  });

  test("ends with a changed password, sent or not", async () => {
    await using given = await signedIn();
    const { browser, thief } = given;
    await thief.send("requestPasswordReset", { email: OLD });
    const resetCode = await stage.mails.code(OLD);
    await deferredReset(thief);
    expect(await browser.send("changePassword", { password: "quite another phrase" })).toMatchObject({ http: 200 });
    expect(await pendingCodes()).toEqual([]);
    expect(await thief.send("resetPassword", { ...THIEF, email: OLD, resetCode })).toMatchObject(REFUSED);
  });

  test("ends with the use of another, also one that still waits for its mail server", async () => {
    await using given = await signedIn();
    await given.thief.send("requestPasswordReset", { email: OLD });
    const resetCode = await stage.mails.code(OLD);
    await stage.database.pool.query(
      `insert into outbox (channel, user_id, recipient, topic, source_key, payload, next_attempt_at)
       select 'mail', id, $1, 'password_reset', 'late', '{}', now() + interval '1 hour' from users`,
      [OLD],
    );
    const next = { email: OLD, password: "quite another phrase" };
    expect(await given.browser.send("resetPassword", { ...next, resetCode })).toMatchObject({ http: 200 });
    expect(await pendingCodes()).toEqual([]);
  });

  test("has one purpose, and so has that for a new email", async () => {
    await using given = await signedIn();
    const { browser } = given;
    await browser.send("changeEmail", { email: NEW });
    await browser.send("requestPasswordReset", { email: OLD });
    const [change, reset] = [await stage.mails.code(NEW), await stage.mails.code(OLD)];
    const next = { email: OLD, password: "quite another phrase" };
    expect(await browser.send("resetPassword", { ...next, resetCode: change })).toMatchObject(REFUSED);
    expect(await browser.send("confirmEmail", { code: reset })).toMatchObject(REFUSED);
  });
});
