import { expect, type Locator, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expectAccessible } from "../a11y/accessible.ts";
import { dialogOf, newEmail, PASSWORD, register, signIn } from "./support/accounts.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { randomTronAddress } from "./support/earnings.ts";
import { flow } from "./support/flow.ts";
import { calculatorOf, destinationOf } from "./support/screens.ts";
import { test } from "./support/test.ts";
import type { Texts } from "./support/texts.ts";

type Typed = readonly (readonly [field: Locator, typed: string])[];

/** What a form of the profile is made of. */
type Form = {
  readonly path: string;
  readonly open?: (page: Page, texts: Texts) => Promise<void>;
  readonly fields: (page: Page, texts: Texts) => Typed | Promise<Typed>;
  readonly submit: (page: Page, texts: Texts) => Locator;
  /** Its call, and what follows once it is sent again after the login. */
  readonly call: string;
  readonly done: (page: Page, texts: Texts) => Locator;
  /** The page where `done` is; the form's own, where it is absent. */
  readonly leadsTo?: string;
};

const inDialog = (page: Page, label: string): Locator => page.getByRole("dialog").getByLabel(label, { exact: true });
const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
const dialogButton = (page: Page, name: string): Locator =>
  page.getByRole("dialog").getByRole("button", { name, exact: true });

const FORMS: Readonly<Record<string, Form>> = {
  "a new key": {
    path: "/profile/keys",
    open: (page, { account }) => button(page, account("keys.create")).click(),
    fields: (page, { account }) => [
      [inDialog(page, account("keys.name")), "Shop checkout"],
      [inDialog(page, account("keys.ips")), "185.12.44.0/24"],
    ],
    submit: (page, { account }) => dialogButton(page, account("keys.add.submit")),
    call: "/generate-api-key",
    done: (page, { account }) => page.getByRole("heading", { name: account("keys.made") }),
  },
  "a new email": {
    path: "/profile/info",
    open: (page, { account }) => button(page, `${account("info.change")} ${account("field.email")}`).click(),
    fields: (page, { account }) => [[inDialog(page, account("changeEmail.email")), newEmail()]],
    submit: (page, { account }) => dialogButton(page, account("restore.submit")),
    call: "/local/change-email",
    done: (page, { account }) => inDialog(page, account("newPassword.code")),
  },
  "a new password": {
    path: "/profile/info",
    open: (page, { account }) => button(page, `${account("info.change")} ${account("field.password")}`).click(),
    fields: (page, { account }) => [
      [inDialog(page, account("field.newPassword")), `${PASSWORD}!`],
      [inDialog(page, account("field.newPasswordConfirm")), `${PASSWORD}!`],
    ],
    submit: (page, { account }) => dialogButton(page, account("newPassword.submit")),
    call: "/local/change-password",
    done: (page, { account }) => page.getByText(account("changePassword.done")),
  },
  "a key's new name": {
    path: "/profile/keys",
    open: async (page, { account }) => {
      const status = await page.evaluate(async () => {
        const headers = { "content-type": "application/json" };
        const body = JSON.stringify({ name: "Shop", whiteListIp: "" });
        return (await fetch("/api/v1/users/generate-api-key", { method: "POST", headers, body })).status;
      });
      expect(status).toBe(201);
      await page.reload();
      await button(page, `${account("keys.editOf")} Shop`).click();
    },
    fields: (page, { account }) => [
      [inDialog(page, account("keys.name")), "Shop in Bergen"],
      [inDialog(page, account("keys.ips")), "185.12.44.0/24"],
    ],
    submit: (page, { account }) => dialogButton(page, account("keys.edit.submit")),
    call: "/update-api-key",
    done: (page, { account }) => button(page, `${account("keys.editOf")} Shop in Bergen`),
  },
  "the code of a second factor": {
    path: "/profile/info",
    open: (page, { account }) =>
      button(page, `${account("secondFactor.add")} ${account("secondFactor.title")}`).click(),
    fields: async (page, { account }) => {
      const secret = Secret.fromBase32((await page.locator(".w-profile__secret").innerText()).replace(/\s/g, ""));
      return [[inDialog(page, account("login.code")), new TOTP({ secret }).generate()]];
    },
    submit: (page, { account }) => dialogButton(page, account("secondFactor.confirm")),
    call: "/second-factor/confirm",
    done: (page, texts) => dialogOf(page, texts).titled(texts.account("recovery.title")),
  },
  "the end of the account": {
    path: "/profile/info",
    open: (page, { account }) => button(page, `${account("delete.open")} ${account("delete.title")}`).click(),
    fields: () => [],
    submit: (page, { account }) => dialogButton(page, account("delete.submit")),
    call: "/delete-account",
    done: (page, texts) => calculatorOf(page, texts).root,
    leadsTo: "/",
  },
};

/** Forms that check what was typed before they call anything: there the session is found ended by what the page reads. */
const CHECKED_FIRST: Readonly<Record<string, Pick<Form, "path" | "open" | "fields">>> = {
  "a withdrawal": {
    path: "/profile/withdraw",
    fields: (page) => [
      [page.locator("#withdraw-address"), randomTronAddress()],
      [page.locator("#withdraw-amount"), "12.5"],
    ],
  },
  "the documents of a verification": {
    path: "/profile/verification",
    open: async (page, { verification: t }) => {
      await button(page, t("status.start")).click();
      await page.getByLabel(t("RESIDENTIAL.country")).selectOption("NO");
      await button(page, t("next")).click();
      await page.getByRole("radio", { name: t("TYPE_ID.passport") }).check();
      await button(page, t("next")).click();
    },
    fields: (page, { verification: t }) => [
      [page.getByLabel(t("PERSONAL_INFO.firstName")), "Marit"],
      [page.getByLabel(t("PERSONAL_INFO.lastName")), "Larsen"],
    ],
  },
};

/** One mechanism keeps every form: each is walked at one width. */
const WIDTHS = ["@phone", "@desktop"] as const;

test.describe("a session that ends in the middle of a form", () => {
  for (const [at, [name, form]] of Object.entries(FORMS).entries()) {
    const tag = WIDTHS[at % 2];
    test(
      `of the profile loses nothing that was typed: ${name}`,
      { tag },
      async ({ page, open, texts, request, problems }) => {
        const email = newEmail();
        await register(request, email);
        await signIn(page, email);
        await open(form.path);
        await form.open?.(page, texts);
        const fields = await form.fields(page, texts);
        for (const [field, typed] of fields) await field.fill(typed);
        await expect(form.submit(page, texts)).toBeVisible();
        await endSession(page);
        // Whatever else the page asks for finds the session ended too, often first: then its form is below the dialog.
        problems.expect({ url: /\/api\//, as: 401 });
        await form.submit(page, texts).dispatchEvent("click");

        await signInAgain(page, texts, email);
        await expect(page).toHaveURL(new RegExp(`${form.path}$`));
        for (const [field, typed] of fields) await expect(field).toHaveValue(typed);
        await expect(page.getByText(texts.account("failed.other"))).toHaveCount(0);

        const sent = page.waitForResponse((response) => response.url().endsWith(form.call));
        await form.submit(page, texts).click();
        expect((await sent).ok()).toBe(true);
        if (form.leadsTo !== undefined) await page.waitForURL(({ pathname }) => pathname === form.leadsTo);
        await expect(form.done(page, texts)).toBeVisible();
      },
    );
  }

  for (const [at, [name, form]] of Object.entries(CHECKED_FIRST).entries()) {
    const tag = WIDTHS[at % 2];
    test(
      `of the profile loses nothing that was typed: ${name}`,
      { tag },
      async ({ page, open, texts, request, problems }) => {
        const email = newEmail();
        await register(request, email);
        await signIn(page, email);
        await open(form.path);
        await form.open?.(page, texts);
        const fields = await form.fields(page, texts);
        for (const [field, typed] of fields) await field.fill(typed);
        await endSession(page);
        problems.expect({ url: /\/api\//, as: 401 });
        // As when the person comes back from another tab: the page reads anew what it displays.
        const login = dialogOf(page, texts).titled(texts.account("login.title"));
        await expect(async () => {
          await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
          await expect(login).toBeVisible({ timeout: 1_000 });
        }).toPass();
        await signInAgain(page, texts, email);
        await expect(page).toHaveURL(new RegExp(`${form.path}$`));
        for (const [field, typed] of fields) await expect(field).toHaveValue(typed);
      },
    );
  }
});

flow(
  "a session that ends in the exchange's form loses nothing that was typed, and its order is the person's",
  async ({ page, open, person, texts, request, problems }) => {
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/exchange-eth-usdt-erc20?amount=0.5&mode=fixed&step=destination");
    const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
    const [address, refund] = [randomAddress(), randomAddress()];
    await person.type(step.address, address);
    await person.type(step.refund, refund);
    await person.tick(step.terms);
    await endSession(page);
    problems.expect({ url: /\/api\//, as: 401 });
    problems.expectSaid(/the order was not created ERR_UNAUTHORIZED/);
    // Whatever the page asks for first finds the session ended: often the order itself.
    const login = dialogOf(page, texts);
    const title = login.titled(texts.account("login.title"));
    await expect(async () => {
      if (!(await title.isVisible())) await person.press(step.create);
      await expect(title).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByText(texts.account("note.ended"))).toBeVisible();
    await expectAccessible(page);
    await person.type(login.email, email);
    await person.type(login.password, PASSWORD);
    await person.press(login.button(texts.account("login.submit")));
    await expect(title).toBeHidden();

    await expect(step.address).toHaveValue(address);
    await expect(step.refund).toHaveValue(refund);
    await expect(step.terms).toBeChecked();
    await person.press(step.create);
    await expect(page).toHaveURL(/\/order\/(?!pending)/);
    await open("/profile/history");
    await expect(page.locator(`a[href*="/order/"]`)).toHaveCount(1);
  },
);

async function signInAgain(page: Page, texts: Texts, email: string): Promise<void> {
  const login = dialogOf(page, texts);
  await expect(login.titled(texts.account("login.title"))).toBeVisible();
  await expect(page.getByText(texts.account("note.ended"))).toBeVisible();
  await page.locator("#auth-email").fill(email);
  await page.locator("#auth-password").fill(PASSWORD);
  await login.button(texts.account("login.submit")).click();
  await expect(login.titled(texts.account("login.title"))).toBeHidden();
}

/** Ends it elsewhere: this browser still has its cookies. */
async function endSession(page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const status = await page.evaluate(async () => {
    return (await fetch("/api/v1/users/authentication/logout", { method: "POST" })).status;
  });
  expect(status).toBe(200);
  await page.context().addCookies(cookies);
}
