import { fixedT } from "../../server/base/i18n.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { dialogOf, newEmail, PASSWORD, register, signIn } from "./support/accounts.ts";
import { credit, mailsTo, monthlyPayoutOf, randomTronAddress, registerBy, withdrawalOf } from "./support/earnings.ts";
import { flow } from "./support/flow.ts";
import { expectNoNetwork, untilWorkerControls } from "./support/offline.ts";
import { destinationOf, orderOf } from "./support/screens.ts";
import { untilSettled } from "./support/settled.ts";
import { expect, pathIn, test } from "./support/test.ts";

/** Of the stand-in for TRON, and of the worker that pays. */
const PAID_OUT_MS = 60_000;

flow(
  "a person registers, swaps, gets cashback, and withdraws it",
  async ({ page, open, person, texts, lang, api, request }) => {
    const { account, earnings } = texts;
    const email = newEmail();
    await open("/profile/wallet");
    const dialog = dialogOf(page, texts);
    await person.press(dialog.button(account("login.create")));
    await person.type(dialog.email, email);
    await person.type(dialog.password, PASSWORD);
    await person.type(dialog.field(account("field.passwordConfirm")), PASSWORD);
    await person.tick(page.getByRole("dialog").getByRole("checkbox"));
    await person.press(dialog.button(account("register.submit")));
    await expect(page).toHaveURL(pathIn(lang, "/profile/wallet"));
    await expect(page.getByText(earnings("wallet.empty"))).toBeVisible();
    const mails = () => mailsTo(request, email);
    const mail = fixedT(lang, "mail");
    await expect.poll(mails).toEqual([mail("account.subject.welcome")]);

    await open("/exchange-eth-usdt-erc20?amount=0.5&step=destination");
    const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
    await person.type(step.address, randomAddress());
    await person.tick(step.terms);
    await person.press(step.create);
    const order = orderOf(page, texts);
    const reference = await order.reference.innerText();
    await person.press(order.pay);
    await untilSettled(page, order.sentToYou);

    await open("/profile/cashback");
    await expect(page.getByText(earnings("list.order", { reference }))).toBeVisible();
    await expect(page.getByText(/^\+0\.\d+\sUSDT$/)).toBeVisible();

    // One order's cashback is less than the smallest withdrawal.
    await credit(page, api, "20");
    await open("/profile/withdraw");
    const withdrawal = withdrawalOf(page, texts);
    await person.type(withdrawal.address, randomTronAddress());
    await person.type(withdrawal.amount, "1");
    await person.press(withdrawal.submit);
    await expect(withdrawal.amount).toBeFocused();
    await expect(page.locator("#withdraw-amount-error")).toHaveText(
      `${earnings("error.withdrawalAmountTooSmall")} 10 USDT`,
    );
    await expectAccessible(page);
    await person.type(withdrawal.amount, "12,5");
    await expect(withdrawal.amount).toHaveValue("12.5");
    await person.press(withdrawal.submit);
    await expect(withdrawal.window).toBeVisible();
    await person.press(withdrawal.done);
    await expect(withdrawal.amount).toHaveValue("");
    await expect(withdrawal.history.getByText("12.5")).toBeVisible();
    await expect(withdrawal.history.getByText(earnings("withdrawalStatus.COMPLETED"))).toBeVisible({
      timeout: PAID_OUT_MS,
    });

    const monthly = monthlyPayoutOf(page, texts);
    const address = randomTronAddress();
    await expect(monthly.section.getByText(earnings("monthly.off", { minimum: "10\u00a0USDT" }))).toBeVisible();
    await person.press(monthly.set);
    await person.press(monthly.submit);
    await expect(monthly.address).toHaveAccessibleDescription(
      new RegExp(earnings("error.error_address_empty", { ticker: "USDT" })),
    );
    await expectAccessible(page);
    await person.type(monthly.address, address);
    await person.press(monthly.submit);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(monthly.section).toContainText(address);
    await expectAccessible(page);
    await expect.poll(mails).toContain(mail("account.subject.monthly_payout_set"));
    await person.press(monthly.stop);
    await expect(monthly.set).toBeVisible();
    await expect(monthly.section).not.toContainText(address);
    await expect.poll(mails).toContain(mail("account.subject.monthly_payout_off"));
  },
);

test.describe("the withdrawal on a phone", { tag: "@phone" }, () => {
  test("has its button above the tabs, whatever was typed", async ({ page, open, texts, request }) => {
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/profile/withdraw");
    const button = page.locator("form button[type=submit]");
    const reachesTabs = async () => {
      const [own, tabs] = [await button.boundingBox(), await page.locator(".w-tabs").boundingBox()];
      return own === null || tabs === null || own.y + own.height > tabs.y;
    };
    await expect.poll(reachesTabs).toBe(false);
    await page.getByLabel(texts.earnings("withdraw.amountField", { ticker: "USDT" })).fill("12");
    await button.click();
    await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
    await expect.poll(reachesTabs).toBe(false);
  });
});

/** What each page asks for last that it shows again without a network. */
const ANSWER_OF = {
  wallet: "/wallet/balances",
  history: "/users/orders?",
  cashback: "/affiliates/cashbacks",
  withdraw: "/affiliates/withdrawal-terms",
  keys: "/list-api-key",
  verification: "/kyc/status",
  info: "/users/sessions",
} as const;

/** Where it is another day than in UTC now. */
const ANOTHER_DAY = new Date().getUTCHours() >= 10 ? "Pacific/Kiritimati" : "Pacific/Pago_Pago";

/** The last days of UTC, the newest first, as a chart names them. */
const lastDays = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    new Date(Date.now() - n * 86_400_000).toLocaleDateString("en-GB", {
      day: "numeric",
      month: "short",
      timeZone: "UTC",
    }),
  );

test.describe("the affiliate programme", { tag: "@desktop" }, () => {
  test.use({ hasWorker: true, timezoneId: ANOTHER_DAY });

  test("counts visitors and registrations by the link, by days of UTC, and shows their age offline", async ({
    page,
    open,
    texts: { account, earnings },
    context,
    problems,
    browser,
    baseURL,
    request,
  }) => {
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/profile/affiliate-program");
    const link = (await page.locator(".w-affiliate__url").first().innerText()).trim();
    const ref = new URL(link).searchParams.get("ref") ?? "";
    expect(ref).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);

    const visitor = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
    const visited = await visitor.newPage();
    await visited.goto(`/?ref=${ref}`);
    expect((await visitor.cookies()).find(({ name }) => name === "referralID")?.value).toBe(ref);
    await registerBy(visited.request, ref);
    await visitor.close();

    const figure = (name: string) => page.locator(".w-affiliate__figure", { hasText: name }).locator("dd");
    await expect(async () => {
      await page.reload();
      await expect(figure(earnings("affiliate.registrations"))).toHaveText("1", { timeout: 5_000 });
      await expect(figure(earnings("affiliate.clicks"))).toHaveText("1", { timeout: 5_000 });
    }).toPass({ timeout: 60_000 });

    const days = page.getByRole("slider", { name: earnings("chart.choose") });
    await days.focus();
    const named: string[] = [];
    for (const [n, day] of lastDays(30).entries()) {
      if (n > 0) await page.keyboard.press("ArrowLeft");
      const clicks = earnings("chart.clicks", { count: n === 0 ? 1 : 0 });
      await expect(days).toHaveAttribute("aria-valuetext", new RegExp(`^${day}: .* ${clicks}$`));
      named.push(day);
    }
    await expect(page.locator(".w-day-bars__dates")).toHaveText(`${named[29]}${named[15]}${named[0]}`);
    await expect(page.getByText(earnings("chart.utc"))).toBeVisible();
    await page.getByRole("button", { name: earnings("link.qr"), exact: true }).click();
    await expect(page.getByRole("img", { name: earnings("link.qrAlt") })).toBeVisible();
    await expectAccessible(page);

    const pages = ["wallet", "history", "cashback", "withdraw", "keys", "verification", "info"] as const;
    for (const name of pages) {
      const answered = page.waitForResponse((response) => response.url().includes(ANSWER_OF[name]));
      await open(`/profile/${name}`);
      await (await answered).finished();
    }
    await untilWorkerControls(page);
    expectNoNetwork(problems);
    problems.expectSaid(/account data can't be refreshed/);
    await context.setOffline(true);
    for (const name of [...pages, "affiliate-program"] as const) {
      const list = page.getByRole("navigation", { name: account("profile.nav") });
      await list.getByRole("link", { name: account(`pages.${name}`), exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/profile/${name}$`));
      await expect(page.getByRole("main").getByText(account("seen.offline")).first()).toBeVisible();
      await expect(page.getByText(/^As of \d+ .*, (?:just now|.* ago)$/).first()).toBeVisible();
    }
    await context.setOffline(false);
  });
});
