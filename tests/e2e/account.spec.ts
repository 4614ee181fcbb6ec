import { expect } from "@playwright/test";
import { expectAccessible } from "../a11y/accessible.ts";
import { dialogOf, mailedCode, newEmail, PASSWORD, register, signIn, thisDevice } from "./support/accounts.ts";
import { flow } from "./support/flow.ts";
import { destinationOf } from "./support/screens.ts";
import { pathIn, test } from "./support/test.ts";

flow(
  "a person registers, sees where they are signed in, and signs out",
  async ({ page, open, person, texts, lang }) => {
    const { account } = texts;
    const dialog = dialogOf(page, texts);
    const email = newEmail();
    await open("/lk");
    await expect(dialog.titled(account("login.title"))).toBeVisible();
    await person.press(dialog.button(account("login.create")));
    await person.press(dialog.button(account("register.submit")));
    await expect(dialog.email).toBeFocused();
    await expect(dialog.email).toHaveAccessibleDescription(account("error.EMAIL_VALIDATION_ERROR"));
    await expect(page.getByText(account("error.error_agree_privacy"))).toBeVisible();
    await expectAccessible(page);
    await person.type(dialog.email, email);
    await person.type(dialog.password, PASSWORD);
    await person.type(dialog.field(account("field.passwordConfirm")), PASSWORD);
    await person.tick(page.getByRole("dialog").getByRole("checkbox"));
    await person.press(dialog.button(account("register.submit")));

    await expect(page).toHaveURL(pathIn(lang, "/profile/info"));
    await expect(thisDevice(page, texts)).toBeVisible();
    await expect(page.getByText(email).first()).toBeVisible();
    await expectAccessible(page);

    // The server knows it too: the page comes without a guest's entry.
    await page.reload();
    await expect(page.getByText(email).first()).toBeVisible();
    // What is still on its way at the sign-out would be refused.
    await expect(thisDevice(page, texts)).toBeVisible();

    await person.press(page.getByRole("button", { name: account("profile.logOut"), exact: true }));
    await expect(page).toHaveURL(pathIn(lang, "/"));
    // The page loads anew once more: nothing in memory outlives the person.
    await expect(async () => {
      expect(await page.evaluate(() => localStorage.getItem("wherry-account"))).toBeNull();
    }).toPass();
    await open("/profile/info");
    await expect(dialog.titled(account("login.title"))).toBeVisible();
    await expect(page.getByText(email)).toHaveCount(0);
  },
);

flow(
  "a forgotten password is replaced by the mailed code, and the login leads to the page that was asked for",
  async ({ page, open, person, texts, lang, request, problems }) => {
    const { account } = texts;
    const dialog = dialogOf(page, texts);
    const email = newEmail();
    await register(request, email);
    problems.expect({ url: "/local/authenticate", as: 400 });
    problems.expect({ url: "/local/reset-password", as: 400 });
    await open("/profile/info");
    await person.type(dialog.email, email);
    await person.type(dialog.password, "not the password");
    await person.press(dialog.button(account("login.submit")));
    await expect(page.getByText(account("error.ERR_INVALID_CREDENTIALS"))).toBeVisible();

    await person.press(dialog.button(account("login.forgot")));
    await expect(dialog.titled(account("restore.title"))).toBeVisible();
    await expect(page.getByText(account("error.ERR_INVALID_CREDENTIALS"))).toHaveCount(0);
    await expect(dialog.email).toHaveValue(email);
    await person.press(dialog.button(account("restore.submit")));
    await expect(dialog.titled(account("newPassword.title"))).toBeVisible();
    const code = dialog.field(account("newPassword.code"));
    await person.type(code, "0000-0000");
    await person.type(dialog.field(account("field.newPassword")), `${PASSWORD}!`);
    await person.type(dialog.field(account("field.newPasswordConfirm")), `${PASSWORD}!`);
    await person.press(dialog.button(account("newPassword.submit")));
    await expect(page.getByText(account("error.ERR_INVALID_PASSWORD_RESET_CODE"))).toBeVisible();
    await expect.poll(() => mailedCode(request, email)).not.toBe("");
    await person.type(code, await mailedCode(request, email));
    await person.press(dialog.button(account("newPassword.submit")));

    await expect(dialog.titled(account("login.title"))).toBeVisible();
    await expect(page.getByText(account("note.reset"))).toBeVisible();
    await person.type(dialog.password, `${PASSWORD}!`);
    await person.press(dialog.button(account("login.submit")));
    await expect(page).toHaveURL(pathIn(lang, "/profile/info"));
    await expect(thisDevice(page, texts)).toBeVisible();
  },
);

test.describe("a session", { tag: "@desktop" }, () => {
  test("that ends in the middle of a form says so, and what was typed is there after the login", async ({
    page,
    open,
    texts,
    request,
    problems,
  }) => {
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/exchange-eth-usdt-erc20?amount=0.5&step=destination");
    const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
    const field = page.locator("#destination-address");
    await field.fill("0x52908400098527886E0F7030069857D2E4169EE7");
    await page.getByRole("checkbox", { name: texts.exchange("destination.terms") }).check();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("wherry-account"))).toContain(email);
    problems.expect({ url: "/public/create", as: 401 });
    problems.expectSaid(/^console warning: the order was not created ERR_UNAUTHORIZED/);
    // The session is ended elsewhere; this browser still has its cookie.
    const kept = await page.context().cookies();
    const status = await page.evaluate(async () => {
      return (await fetch("/api/v1/users/authentication/logout", { method: "POST" })).status;
    });
    expect(status).toBe(200);
    await page.context().addCookies(kept);
    await step.create.click();

    const dialog = dialogOf(page, texts);
    await expect(page.getByText(texts.account("note.ended"))).toBeVisible();
    await dialog.email.fill(email);
    await dialog.password.fill(PASSWORD);
    await dialog.button(texts.account("login.submit")).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(field).toHaveValue("0x52908400098527886E0F7030069857D2E4169EE7");
  });

  test("that the service can't confirm is not over: the profile says so, asks nobody to sign in, and recovers by itself", async ({
    page,
    open,
    texts,
    request,
    problems,
  }) => {
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    problems.expect({ url: /\/api\//, as: 500 });
    problems.expectSaid(/(?:account data can't be refreshed|redirects can't be fetched)/);
    const failure = { status: "ERR_INTERNAL_SERVER_ERROR", message: "Internal server error", data: {}, traceId: "t" };
    await page.route("**/api/**", (route) => route.fulfill({ status: 500, json: failure }));
    await open("/profile/keys");
    const notice = page.getByText(texts.account("seen.failed"));
    await expect(notice).toBeVisible();
    // The list of the profile leads to its pages, not to the login dialog.
    const list = page.getByRole("navigation", { name: texts.account("profile.nav") });
    await list.getByRole("link", { name: texts.account("pages.wallet"), exact: true }).click();
    await expect(page).toHaveURL(/\/profile\/wallet$/);
    await expect(notice).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("link", { name: texts.common("nav.signIn"), exact: true })).toHaveCount(0);
    await expectAccessible(page);

    await page.unroute("**/api/**");
    await expect(notice).toHaveCount(0);
    await expect(page.getByText(texts.earnings("wallet.movements")).first()).toBeAttached();
    expect(await page.evaluate(() => localStorage.getItem("wherry-account"))).toContain(email);
  });

  test("is one in all tabs: each follows who signs in and out", async ({ page, open, texts, request, context }) => {
    const email = newEmail();
    await register(request, email);
    const other = await context.newPage();
    await other.goto("/orders");
    await open("/profile/info");
    const dialog = dialogOf(page, texts);
    await dialog.email.fill(email);
    await dialog.password.fill(PASSWORD);
    await dialog.button(texts.account("login.submit")).click();
    await expect(thisDevice(page, texts)).toBeVisible();
    await other.goto("/profile/info");
    await expect(other.getByText(email).first()).toBeVisible();
    await page.getByRole("button", { name: texts.account("profile.logOut"), exact: true }).click();
    await expect(other.getByText(email)).toHaveCount(0);
    await expect(other.getByRole("link", { name: texts.common("nav.signIn"), exact: true })).toBeVisible();
  });
});
