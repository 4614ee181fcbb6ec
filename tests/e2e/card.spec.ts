import type { Page } from "@playwright/test";
import { addDecimals } from "#contract/money.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { newEmail, register, signIn } from "./support/accounts.ts";
import {
  cardFormOf,
  cardWindowsOf,
  confirmEmail,
  payAtProvider,
  pressInFrame,
  PROVIDER,
  REFUSED_CVV,
  registerIn,
  tabOf,
} from "./support/card.ts";
import { readDevice } from "./support/device.ts";
import { flow } from "./support/flow.ts";
import { balanceOf } from "./support/payout.ts";
import { orderOf } from "./support/screens.ts";
import { untilSettled } from "./support/settled.ts";
import { expect } from "./support/test.ts";

const ROOT = "/api/v1/liquidity-providers/mercuryo";
const ASKED_EVERY_MS = 90_000;

flow(
  "a guest buys coins by card: registers on the way, and goes on with what was typed",
  async ({ page, open, person, texts, context, api, chain }) => {
    const { exchange, order: t } = texts;
    const destination = randomAddress();
    await open("/");
    const form = cardFormOf(page, texts);
    await person.choose(form.kind("buy"));
    await expect(form.pay).toHaveValue("200");
    await expect(page.getByText(exchange("card.charges", PROVIDER))).toBeVisible();
    await person.type(form.pay, "100");
    await expect(form.getAbout).toHaveValue(/^9\d\./);
    await expectAccessible(page);
    await person.press(form.proceed);

    await person.type(form.address, destination);
    await person.tick(form.termsBuy);
    await expect(page.getByRole("heading", { name: texts.card("provider.buy", PROVIDER) })).toBeVisible();
    await expectAccessible(page);
    await person.press(form.create);
    await registerIn(page, texts, person, newEmail());

    // Nothing is asked twice: the order is made with what was typed.
    const windows = cardWindowsOf(page, texts);
    await expect(windows.payment).toBeVisible();
    await expect(windows.payment.getByText("100.00\u00a0USD")).toBeVisible();
    await expectFeesAddUp(page, ".w-order-summary");
    await expectAccessible(page);
    const tab = await tabOf(context, () => person.press(windows.openPayment));
    await payAtProvider(tab);
    await expect(tab.getByRole("link", { name: "Back to your order" })).toHaveAttribute("href", page.url());
    await tab.close();

    await untilSettled(page, orderOf(page, texts).sentToYou);
    await expect(page.getByText(t("cardRow.buy_paid_done", { sent: "100.00\u00a0USD" }))).toBeVisible();
    await expect(page.getByRole("link", { name: t("card.support", PROVIDER) })).toBeVisible();
    await expectFeesAddUp(page, ".w-order-receipt");
    await expectAccessible(page);
    expect(Number(await balanceOf({ api, chain }, "usdt-erc20", destination))).toBeGreaterThan(90);
  },
);

flow(
  "a purchase that needs a check survives reloads and a closed window, and is paid once",
  async ({ page, open, person, texts, context, request, problems }) => {
    // Begun again after its window was closed: the provider knows the email by then.
    problems.expect({ url: `${ROOT}/user/sign-up`, as: 409 });
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/exchange-usd-usdt-erc20?step=destination");
    const form = cardFormOf(page, texts);
    const windows = cardWindowsOf(page, texts);
    const created: string[] = [];
    page.on("request", (asked) => {
      if (asked.url().endsWith("/orders/public/create")) created.push(asked.headers()["idempotency-key"] ?? "");
    });
    await expect(page.getByText(texts.card("learns.identity"))).toBeVisible();
    await person.type(form.address, randomAddress());
    await person.tick(form.termsBuy);
    await person.press(form.create);

    await expect(windows.waiting("email")).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await expect(windows.waiting("email")).toBeVisible();
    await confirmEmail(context, request, email);
    await expect(windows.waiting("check")).toBeVisible();
    await expect(windows.checkFrame.getByRole("heading", { name: "Identity check" })).toBeVisible();
    // Closed in the middle: nothing is created, and the same press goes on from there.
    await page.keyboard.press("Escape");
    await expect(windows.check).toBeHidden();
    await expect(form.create).toBeFocused();
    expect(created).toEqual([]);
    await person.press(form.create);
    await expect(windows.checkFrame.getByRole("heading", { name: "Identity check" })).toBeVisible();
    await page.reload();
    await pressInFrame(windows.checkFrame, "Pass the check");

    await expect(windows.payment).toBeVisible();
    expect(new Set(created).size).toBe(1);
    // What opens the customer's account at the provider stays in no storage of the device.
    expect(await readDevice(page)).not.toMatch(/bearer|access_token|verificationUrl/i);
    const tab = await tabOf(context, () => person.press(windows.openPayment));
    await payAtProvider(tab);
    await tab.close();
    await untilSettled(page, orderOf(page, texts).sentToYou);
    await open("/orders");
    await expect(page.locator(".w-orders__row")).toHaveCount(1);
  },
);

flow(
  "a person whom the provider knows already reads that it did not confirm them, and is charged nothing",
  async ({ page, open, person, texts, context, request, problems }) => {
    problems.expect({ url: `${ROOT}/user/sign-up`, as: 409 });
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/exchange-usd-usdt-erc20?step=destination");
    const headers = { origin: new URL(page.url()).origin };
    const known = await page.request.post(`${ROOT}/user/sign-up`, { data: { accept: true }, headers });
    expect(known.status()).toBe(200);
    await confirmEmail(context, request, email);
    const form = cardFormOf(page, texts);
    const windows = cardWindowsOf(page, texts);
    await person.type(form.address, randomAddress());
    await person.tick(form.termsBuy);
    await person.press(form.create);
    await pressInFrame(windows.checkFrame, "Fail the check");

    await expect(windows.check).toBeHidden();
    await expect(page.getByText(texts.card("failed.refused.title", PROVIDER))).toBeVisible();
    await expect(page.getByText(texts.card("error.error_kyc_flow"))).toBeVisible();
    await expectAccessible(page);
    await expect(form.address).not.toHaveValue("");
  },
);

flow(
  "a refused card ends the order, which is created again; a missed callback is found by polling",
  async ({ page, open, person, texts, context, request, api }) => {
    const { order: t } = texts;
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/exchange-usd-usdt-erc20?amount=100&step=destination");
    const form = cardFormOf(page, texts);
    const windows = cardWindowsOf(page, texts);
    await person.type(form.address, randomAddress());
    await person.tick(form.termsBuy);
    await person.press(form.create);
    const tab = await tabOf(context, () => person.press(windows.openPayment));
    await payAtProvider(tab, REFUSED_CVV);
    await tab.close();
    await untilSettled(page, page.getByText(t("card.state.declined.title")));
    await expectAccessible(page);

    await person.press(page.getByRole("link", { name: t("expired.again"), exact: true }).first());
    await person.press(form.proceed);
    await expect(form.address).not.toHaveValue("");
    await person.tick(form.termsBuy);
    await person.press(form.create);
    await expect(windows.payment).toBeVisible();
    await page.keyboard.press("Escape");
    const orderId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await api.call("sandboxCard", { body: { orderId, state: "done", isCallbackLost: true } });
    await expect(orderOf(page, texts).sentToYou).toBeVisible({ timeout: ASKED_EVERY_MS });
  },
);

flow(
  "coins are sold to a card, without an address to check",
  async ({ page, open, person, texts, context, request, api }) => {
    const { exchange, order: t } = texts;
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/exchange-usd-eth");
    const form = cardFormOf(page, texts);
    await person.press(form.swap);
    await expect(form.kind("sell")).toBeChecked();
    await person.type(form.send, "0.02");
    await expect(form.getAbout).toHaveValue(/^\d\d/);
    await person.press(form.proceed);
    await expect(page.getByRole("heading", { name: exchange("card.sellTitle", { ticker: "ETH" }) })).toBeVisible();
    await expect(form.address).toHaveCount(0);
    await person.tick(form.termsSell);
    await expectAccessible(page);
    await person.press(form.create);

    const windows = cardWindowsOf(page, texts);
    await expect(windows.naming).toBeVisible();
    const tab = await tabOf(context, () => person.press(windows.openNaming));
    await tab.getByRole("button", { name: "Use this card" }).click();
    await expect(tab.getByText(/to this address/)).toBeVisible();
    await tab.close();
    const orderId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await api.call("sandboxPay", { body: { orderId } });
    await untilSettled(page, orderOf(page, texts).sentToYou);
    await expect(page.getByText(t("receipt.sent"), { exact: true })).toBeVisible();
    await expectAccessible(page);
  },
);

/** Each fee of a purchase for 100 USD is told apart, none of nothing, and adds up to what is paid; our half percent is among them. */
async function expectFeesAddUp(page: Page, part: string): Promise<void> {
  const money = page
    .locator(part)
    .locator("dd")
    .filter({ hasText: /^−?\d+\.\d\d\sUSD/ });
  await expect(money).toHaveCount(4);
  const [paid, ...rest] = (await money.allInnerTexts()).map((text) => /\d+\.\d\d/.exec(text)?.[0] ?? "");
  expect([paid, addDecimals(...rest)]).toEqual(["100.00", "100"]);
  expect(rest).toContain("0.50");
  expect(rest).not.toContain("0.00");
}
