import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expectAccessible } from "../a11y/accessible.ts";
import { dialogOf, mailedCode, newEmail, PASSWORD, register, signIn, thisDevice } from "./support/accounts.ts";
import { WebhookReceiver } from "../support/partner-api/webhook-receiver.ts";
import { credit, randomTronAddress, withdrawalOf } from "./support/earnings.ts";
import { flow } from "./support/flow.ts";
import { newOrder, orderPath, untilOrderSaved } from "./support/orders.ts";
import { pathIn } from "./support/test.ts";

/** As after ten minutes, once; the service's own rule is tested beside it, and its clock is every test's. */
const askWhoItIs = async (page: Page, path: string): Promise<void> => {
  await page.route(
    `**${path}`,
    (route) => {
      const failure = { status: "ERR_FORBIDDEN", message: "Confirm", data: { reauthenticate: true }, traceId: "t" };
      return route.fulfill({ status: 403, json: failure });
    },
    { times: 1 },
  );
};

flow(
  "an API key is made, its secret read once, switched off, renamed and deleted",
  async ({ page, open, person, texts, request }) => {
    const { account } = texts;
    const dialog = dialogOf(page, texts);
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/profile/keys");
    await expect(page.getByText(account("keys.none"))).toBeVisible();
    await person.press(page.getByRole("button", { name: account("keys.create"), exact: true }));
    await person.press(dialog.button(account("keys.add.submit")));
    await expect(page.getByText(account("keys.nameMissing"))).toBeVisible();
    await expectAccessible(page);
    await person.type(dialog.field(account("keys.name")), "Shop checkout");
    await person.type(dialog.field(account("keys.ips")), "185.12.44.0/24");
    await person.press(dialog.button(account("keys.add.submit")));

    await expect(page.getByRole("heading", { name: account("keys.made") })).toBeVisible();
    const secret = page.getByText(/^ws_[\w-]{43}$/);
    await expect(secret).toBeVisible();
    await expect(page.getByText("185.12.44.0/24", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await person.press(page.getByRole("button", { name: account("keys.saved") }));
    await expect(secret).toHaveCount(0);

    const works = page.getByRole("switch", { name: account("keys.works", { name: "Shop checkout" }) });
    await expect(works).toBeChecked();
    await person.reach(works);
    await works.focus();
    await page.keyboard.press("Space");
    await expect(works).not.toBeChecked();

    await person.press(page.getByRole("button", { name: `${account("keys.editOf")} Shop checkout` }));
    await person.type(dialog.field(account("keys.name")), "Test script");
    await person.press(dialog.button(account("keys.edit.submit")));
    await expect(page.getByText("Test script").first()).toBeVisible();

    await person.press(page.getByRole("button", { name: `${account("keys.deleteOf")} Test script` }));
    await expect(dialog.titled(account("keys.delete.title"))).toBeVisible();
    await person.press(dialog.button(account("keys.delete.submit")));
    await expect(page.getByText(account("keys.key_page_delete_key_success"))).toBeVisible();
    await expect(page.getByText(account("keys.none"))).toBeVisible();
  },
);

flow(
  "a webhook is added, its secret read once, tested, sent again and deleted",
  async ({ page, open, person, texts, request, problems }) => {
    const { account, webhooks } = texts;
    const dialog = dialogOf(page, texts);
    await using receiver = await new WebhookReceiver().listen();
    problems.expect({ url: "/users/create-webhook", as: 400 });
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/profile/keys");
    await expect(page.getByText(webhooks("none"))).toBeVisible();
    await person.press(page.getByRole("button", { name: webhooks("add"), exact: true }));
    await person.type(dialog.field(webhooks("new.url")), "http://shop.example/hook");
    await person.press(dialog.button(webhooks("new.submit")));
    await expect(page.getByText(webhooks("new.wrong"))).toBeVisible();
    await expectAccessible(page);
    await person.type(dialog.field(webhooks("new.url")), receiver.url);
    await person.press(dialog.button(webhooks("new.submit")));
    await expect(page.getByRole("heading", { name: webhooks("made") })).toBeVisible();
    const secret = page.getByText(/^whs_[\w-]{43}$/);
    await expect(secret).toBeVisible();
    await person.press(page.getByRole("button", { name: account("keys.saved") }));
    await expect(secret).toHaveCount(0);

    await person.press(page.getByRole("button", { name: `${webhooks("test")} ${receiver.url}` }));
    await expect(page.getByText(webhooks("state.DELIVERED"), { exact: true })).toBeVisible();
    expect(receiver.taken.map(({ text }) => JSON.parse(text) as object)).toMatchObject([{ type: "test" }]);
    await expectAccessible(page);
    receiver.behave = () => 500;
    await person.press(page.getByRole("button", { name: new RegExp(`^${webhooks("again")}`) }));
    await expect(page.getByText("500", { exact: false }).first()).toBeVisible();
    // More often where the page is slower than the first pause.
    expect(receiver.seen.length).toBeGreaterThan(1);
    expect(new Set(receiver.seen.map(({ text }) => (JSON.parse(text) as { id: string }).id)).size).toBe(1);

    await person.press(page.getByRole("button", { name: `${account("keys.deleteOf")} ${receiver.url}` }));
    await expect(dialog.titled(webhooks("delete.title"))).toBeVisible();
    await person.press(dialog.button(webhooks("delete.submit")));
    await expect(page.getByText(webhooks("deleted"))).toBeVisible();
    await expect(page.getByText(webhooks("none"))).toBeVisible();
  },
);

flow(
  "the account's orders are narrowed, opened and saved, and a guest's order of this device is added",
  async ({ page, open, person, texts, request, api, lang }) => {
    const { order: t, account } = texts;
    const email = newEmail();
    await register(request, email);
    const made = await newOrder(api);
    await open(orderPath(made));
    await untilOrderSaved(page, made);
    await signIn(page, email);
    await open("/profile/history");
    await expect(page.getByText(t("history.empty"))).toBeVisible();
    const links = page.getByRole("navigation", { name: account("profile.nav") }).getByRole("link");
    // Only beside a page is there a list.
    const isWide = (page.viewportSize()?.width ?? 0) >= 1024;
    await expect(links.and(page.locator('[aria-current="page"]'))).toHaveCount(isWide ? 1 : 0);
    await expect(page.getByText(t("history.claim", { count: 1 }))).toBeVisible();
    await expectAccessible(page);
    await person.press(page.getByRole("button", { name: t("history.claimDo") }));
    const row = page.locator(".w-orders__row, .w-history-table__link");
    await expect(row).toHaveCount(1);
    await expect(page.getByText(t("history.range", { first: 1, last: 1, total: 1 }))).toBeVisible();

    await person.choose(page.getByRole("radio", { name: t("history.states.COMPLETED") }));
    await expect(page.getByText(t("history.noMatch"))).toBeVisible();
    await expect(page).toHaveURL(/\?state=COMPLETED$/);
    await person.press(page.getByRole("button", { name: t("history.showAll") }));
    await expect(row).toHaveCount(1);
    const search = page.getByRole("searchbox", { name: t("history.search") });
    await person.type(search, "monero");
    await expect(page.getByText(t("history.noMatch"))).toBeVisible();
    await person.type(search, made.reference.slice(0, 5).toLowerCase());
    await expect(row).toHaveCount(1);
    await expect(page).toHaveURL(/\?search=/);
    await expectAccessible(page);

    const downloading = page.waitForEvent("download");
    await person.press(page.getByRole("button", { name: t("history.csv") }));
    expect(await readFile(await (await downloading).path(), "utf8")).toMatch(/^Date,Sent Amount,/);
    await person.press(row);
    await expect(page).toHaveURL(new RegExp(`^[^?]*${pathIn(lang, `/order/${made.orderId}`)}\\?`));
  },
);

flow(
  "a second factor is turned on, asked for at the next sign-in and a withdrawal, and turned off",
  async ({ page, open, person, texts, request, api, lang, problems }) => {
    const { account } = texts;
    const dialog = dialogOf(page, texts);
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/profile/info");
    const title = account("secondFactor.title");
    await person.press(page.getByRole("button", { name: `${account("secondFactor.add")} ${title}` }));
    await expect(dialog.titled(account("secondFactor.addTitle"))).toBeVisible();
    const secret = (await page.locator(".w-profile__secret").innerText()).replace(/\s/g, "");
    const codeAt = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
    await expectAccessible(page);
    await person.type(dialog.field(account("login.code")), codeAt(0));
    await person.press(dialog.button(account("secondFactor.confirm")));
    await expect(dialog.titled(account("recovery.title"))).toBeVisible();
    const recovery = await page.locator(".w-profile__codes li").allInnerTexts();
    expect(recovery).toHaveLength(10);
    await expectAccessible(page);
    await person.press(dialog.button(account("recovery.done")));
    await expect(page.getByText(account("secondFactor.on"))).toBeVisible();

    await person.press(page.getByRole("button", { name: account("profile.logOut"), exact: true }));
    await expect(page).toHaveURL(pathIn(lang, "/"));
    problems.expect({ url: "/local/authenticate", as: 403 });
    await open("/profile/info");
    await person.type(dialog.email, email);
    await person.type(dialog.password, PASSWORD);
    await person.press(dialog.button(account("login.submit")));
    await expect(page.getByText(account("login.codeText"))).toBeVisible();
    await person.type(dialog.field(account("login.code")), recovery[0] ?? "");
    await person.press(dialog.button(account("login.submit")));
    await expect(thisDevice(page, texts)).toBeVisible();

    await credit(page, api, "20");
    await askWhoItIs(page, "/affiliates/withdrawals");
    problems.expect({ url: "/affiliates/withdrawals", as: 403 });
    await open("/profile/withdraw");
    const withdrawal = withdrawalOf(page, texts);
    await person.type(withdrawal.address, randomTronAddress());
    await person.type(withdrawal.amount, "12.5");
    await person.press(withdrawal.submit);
    await expect(dialog.titled(account("reauthenticate.title"))).toBeVisible();
    await expectAccessible(page);
    await person.type(dialog.password, PASSWORD);
    await person.type(dialog.field(account("login.code")), codeAt(1));
    await person.press(dialog.button(account("reauthenticate.submit")));
    await expect(withdrawal.window).toBeVisible();
    await person.press(withdrawal.done);
    await open("/profile/info");

    await person.press(page.getByRole("button", { name: `${account("secondFactor.remove")} ${title}` }));
    await expect(dialog.titled(account("secondFactor.removeTitle"))).toBeVisible();
    await person.press(dialog.button(account("secondFactor.remove")));
    await expect(page.getByText(account("secondFactor.off"))).toBeVisible();
  },
);

flow(
  "email and password are changed after the password was asked for, then the account is exported and deleted",
  async ({ page, open, person, texts, request, api, lang, problems }) => {
    const { account } = texts;
    const dialog = dialogOf(page, texts);
    const email = newEmail();
    const newer = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/profile/info");
    await person.press(page.getByRole("button", { name: account("restore.submit"), exact: true }));
    await expect(dialog.titled(account("confirmEmail.title"))).toBeVisible();
    await expectAccessible(page);
    await expect.poll(() => mailedCode(request, email)).not.toBe("");
    await person.type(dialog.field(account("newPassword.code")), await mailedCode(request, email));
    await person.press(dialog.button(account("confirmEmail.submit")));
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText(account("confirmEmail.title"))).toHaveCount(0);
    await askWhoItIs(page, "/local/change-email");
    problems.expect({ url: "/local/change-email", as: 403 });
    await person.press(
      page.getByRole("button", { name: `${account("info.change")} ${account("field.email")}`, exact: true }),
    );
    await person.type(dialog.field(account("changeEmail.email")), newer);
    await person.press(dialog.button(account("restore.submit")));
    await expect(dialog.titled(account("reauthenticate.title"))).toBeVisible();
    await person.type(dialog.password, PASSWORD);
    await person.press(dialog.button(account("reauthenticate.submit")));
    const code = dialog.field(account("newPassword.code"));
    await expect(code).toBeVisible();
    await expect.poll(() => mailedCode(request, newer)).not.toBe("");
    await person.type(code, await mailedCode(request, newer));
    await person.press(dialog.button(account("changeEmail.submit")));
    await expect(page.getByText(newer).first()).toBeVisible();
    // Over the message of before, and in one row.
    const toast = page.locator(".w-toast");
    const said = toast.getByText(account("changeEmail.done"));
    await expect(said).toBeVisible();
    const middles = [said, toast.getByRole("button")].map(async (one) => {
      const box = await one.boundingBox();
      return box === null ? NaN : box.y + box.height / 2;
    });
    const [text = 0, close = Infinity] = await Promise.all(middles);
    expect(Math.abs(text - close)).toBeLessThan(8);

    await person.press(
      page.getByRole("button", { name: `${account("info.change")} ${account("field.password")}`, exact: true }),
    );
    await person.type(dialog.field(account("field.newPassword")), `${PASSWORD}!`);
    await person.type(dialog.field(account("field.newPasswordConfirm")), `${PASSWORD}!`);
    await person.press(dialog.button(account("newPassword.submit")));
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const json = { email: newer, password: `${PASSWORD}!` };
    const signInElsewhere = async () => (await api.send({ path: "/api/v1/users/local/authenticate", json })).status;
    expect(await signInElsewhere()).toBe(200);

    const downloading = page.waitForEvent("download");
    await person.press(
      page.getByRole("button", { name: `${account("export.submit")} ${account("export.title")}`, exact: true }),
    );
    expect(JSON.parse(await readFile(await (await downloading).path(), "utf8"))).toMatchObject({
      account: { email: newer },
      apiKeys: [],
    });

    await person.press(
      page.getByRole("button", { name: `${account("delete.open")} ${account("delete.title")}`, exact: true }),
    );
    await expectAccessible(page);
    await person.press(dialog.button(account("delete.submit")));
    await expect(page).toHaveURL(pathIn(lang, "/"));
    expect(await signInElsewhere()).toBe(400);
  },
);
