import { randomInt } from "node:crypto";
import { expectReadable } from "../a11y/accessible.ts";
import { dialogOf, newEmail, PASSWORD, register } from "./support/accounts.ts";
import { DAY, NIGHT } from "../../src/telegram/testing/sample-palettes.ts";
import { flow } from "./support/flow.ts";
import { Client, initDataOf, launchHash } from "./support/telegram-client.ts";
import { expect, pathIn, test } from "./support/test.ts";

flow(
  "a Telegram user is joined to an account with an email, goes back by Telegram's button, and closes at the sign-out",
  async ({ page, person, texts, lang, colorScheme, request, problems }) => {
    // A user whom the service doesn't know yet is created then (contract §4).
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
    const { account } = texts;
    const dialog = dialogOf(page, texts);
    const email = newEmail();
    await register(request, email);
    const client = await Client.around(page);
    const signedIn = page.waitForResponse("**/api/v1/users/account-data");
    const theme = colorScheme === "dark" ? NIGHT : DAY;
    const launch = launchHash(initDataOf(randomInt(1, 1_000_000_000)), { theme });
    await page.goto(`${pathIn(lang, "/")}${launch}`);
    expect((await signedIn).status()).toBe(200);
    await person.press(page.getByRole("link", { name: texts.common("nav.account"), exact: true }));
    await expect(page.getByText(account("telegram.alone"))).toBeVisible();
    await expectReadable(page);

    await person.press(page.getByRole("button", { name: `${account("telegram.link")} Telegram`, exact: true }));
    await person.type(dialog.email, email);
    await person.type(dialog.password, PASSWORD);
    await person.press(dialog.button(account("telegram.submit")));
    await expect(page.getByText(email).first()).toBeVisible();
    await expect(page.getByText(account("telegram.linked"))).toBeVisible();

    await person.press(page.getByRole("link", { name: new RegExp(`^${account("pages.keys")}`) }));
    await expect(page.getByRole("heading", { level: 1, name: account("pages.keys") })).toBeVisible();
    // Telegram's own button leads back; the page has none.
    await expect(page.locator(".w-profile__back")).toBeHidden();
    await expect.poll(() => client.of("web_app_setup_back_button").at(-1)).toEqual({ is_visible: true });
    await client.emit("back_button_pressed");
    await expect(page.getByText(account("telegram.linked"))).toBeVisible();

    await person.press(page.getByRole("button", { name: `${account("telegram.unlink")} Telegram`, exact: true }));
    await expectReadable(page);
    await person.press(dialog.button(account("telegram.unlinkSubmit")));
    await expect(page.getByText(account("telegram.linked"))).toHaveCount(0);
    // The list leads there at every width: there is neither a header nor a footer.
    await expect(page.getByText(account("settings.asInTelegram"))).toBeVisible();
    const language = new RegExp(`^${texts.common("language.label")}`);
    await person.press(page.getByRole("main").getByRole("button", { name: language }));
    await expect(page.getByRole("dialog").getByRole("link")).toHaveText([/English/, /Русский/]);
    await expectReadable(page);
    await page.keyboard.press("Escape");
    await person.press(page.getByRole("main").getByRole("link", { name: texts.common("nav.support"), exact: true }));
    await expect(page.getByRole("heading", { level: 1, name: texts.common("nav.support") })).toBeVisible();
    await client.emit("back_button_pressed");

    await person.press(page.getByRole("button", { name: account("profile.logOut"), exact: true }));
    await expect.poll(() => client.of("web_app_close")).toHaveLength(1);
    expect(await page.evaluate(() => localStorage.getItem("wherry-account"))).toBeNull();
  },
);

test.describe("the profile inside Telegram", { tag: "@phone" }, () => {
  test("opens the page that a link or a reload asks for once the user is signed in", async ({
    page,
    texts,
    problems,
  }) => {
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
    const keys = page.getByRole("heading", { level: 1, name: texts.account("pages.keys") });
    await Client.around(page);
    // The server knows no Telegram session: it leads to the home page, which goes on from there.
    await page.goto(`/profile/keys${launchHash(initDataOf(randomInt(1, 1_000_000_000)))}`);
    await expect(keys).toBeVisible();
    await expect(page).toHaveURL(/\/profile\/keys$/);
    await expect(page.getByRole("button", { name: texts.account("keys.create"), exact: true })).toBeVisible();

    await page.reload();
    await expect(keys).toBeVisible();
    await expect(page).toHaveURL(/\/profile\/keys$/);

    const deeplink = new URLSearchParams(launchHash(initDataOf(randomInt(1, 1_000_000_000))).slice(1));
    deeplink.set("tgWebAppStartParam", "me___verification");
    await page.goto("about:blank");
    await page.goto(`/?#${deeplink.toString()}`);
    await expect(page.getByRole("heading", { level: 1, name: texts.account("pages.verification") })).toBeVisible();
  });

  test("keeps what was typed into a form when the session ends and the launch signs in anew", async ({
    page,
    texts: { account },
    problems,
  }) => {
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
    await Client.around(page);
    await page.goto(`/profile/keys${launchHash(initDataOf(randomInt(1, 1_000_000_000)))}`);
    await page.getByRole("button", { name: account("keys.create"), exact: true }).click();
    const dialog = page.getByRole("dialog");
    const name = dialog.getByLabel(account("keys.name"), { exact: true });
    await name.fill("Shop checkout");

    problems.expect({ url: "/generate-api-key", as: 401 });
    const json = { status: "ERR_UNAUTHORIZED", message: "The session has ended", traceId: "t" };
    await page.route("**/generate-api-key", (route) => route.fulfill({ status: 401, json }), { times: 1 });
    const signedInAnew = page.waitForResponse("**/api/v1/users/account-data");
    await dialog.getByRole("button", { name: account("keys.add.submit"), exact: true }).click();
    expect((await signedInAnew).status()).toBe(200);
    await expect(name).toHaveValue("Shop checkout");
    await dialog.getByRole("button", { name: account("keys.add.submit"), exact: true }).click();
    await expect(page.getByRole("heading", { name: account("keys.made") })).toBeVisible();
  });
});
