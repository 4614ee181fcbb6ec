import { expect } from "@playwright/test";
import { calls } from "#contract/calls.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { dialogOf, mailedCode, newEmail, PASSWORD, register, signIn, thisDevice } from "./support/accounts.ts";
import { newOrder, orderPath, untilOrderSaved } from "./support/orders.ts";
import { savedIn } from "./support/saved.ts";
import { flow } from "./support/flow.ts";
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

    // The server knows it too: the page comes without a guest's entry, and asks for the account anew (spec §2, guard 2).
    const asked = page.waitForResponse((response) => response.url().endsWith(calls.accountData.path));
    await page.reload();
    expect((await asked).status()).toBe(200);
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
    await expectAccessible(page);
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

flow(
  "two tabs of one browser are one session: each follows who signs in and out",
  async ({ page, open, person, texts, lang, request, context }) => {
    const { account, common } = texts;
    const email = newEmail();
    await register(request, email);
    const other = await context.newPage();
    await other.goto(pathIn(lang, "/orders"));
    await open("/profile/info");
    const dialog = dialogOf(page, texts);
    await person.type(dialog.email, email);
    await person.type(dialog.password, PASSWORD);
    await person.press(dialog.button(account("login.submit")));
    await expect(thisDevice(page, texts)).toBeVisible();
    const guest = other.getByRole("link", { name: common("nav.signIn"), exact: true });
    // A phone's entry is the same for everybody.
    await expect(guest).toBeHidden();
    await other.goto(pathIn(lang, "/profile/info"));
    await expect(other.getByText(email).first()).toBeVisible();
    await expectAccessible(page);
    await person.press(page.getByRole("button", { name: account("profile.logOut"), exact: true }));
    await expect(other.getByText(email)).toHaveCount(0);
    // It is loading anew, which may stop the first try.
    await expect(async () => {
      await other.goto(pathIn(lang, "/profile/info"));
      await expect(dialogOf(other, texts).titled(account("login.title"))).toBeVisible({ timeout: 5_000 });
    }).toPass();
  },
);

test.describe("a session", { tag: "@desktop" }, () => {
  test("that ended somewhere else leaves nothing of its person to the next one on the device", async ({
    page,
    open,
    texts,
    request,
    api,
  }) => {
    const [first, second] = [newEmail(), newEmail()];
    for (const email of [first, second]) await register(request, email);
    await signIn(page, first);
    const order = await newOrder(api);
    await open(orderPath(order));
    await untilOrderSaved(page, order);
    await expect.poll(() => savedIn(page, "wherry-orders")).toContain('"userId"');
    await open("/orders");
    const row = page.locator(`a[href*="${order.orderId}"]`);
    await expect(row).toBeVisible();

    await page.context().clearCookies();
    await signIn(page, second);
    await open("/profile/info");
    await expect(thisDevice(page, texts)).toBeVisible();
    await open("/orders");
    await expect(page.getByText(texts.order("list.emptyTitle"))).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect.poll(() => savedIn(page, "wherry-orders")).toBe("[]");
  });

  test("that the service can't confirm is kept: the profile shows the error and recovers by itself", async ({
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
});
