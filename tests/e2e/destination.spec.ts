import type { Page, Route } from "@playwright/test";
import type { Order } from "#contract/order.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { randomAddress } from "../support/http-swap.ts";
import { muteSocket } from "./support/hold.ts";
import { tabTo } from "./support/keyboard.ts";
import { destinationOf, orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";
import { LOCALES, type Words } from "./support/words.ts";

const RATE = "**/api/v2/rates/public/one?*";
const CREATE = "**/api/v1/orders/public/create";
const STEP = "/exchange-eth-usdt-erc20?amount=0.5&step=destination";
const FIXED = `${STEP}&mode=fixed`;
const COINS = { send: "ETH", get: "USDT" };

/** The pair asks every guest for an email, as with `ckm` A in the catalogue. */
async function askForEmails(page: Page): Promise<void> {
  await muteSocket(page);
  await page.route(RATE, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ckm: "A" } });
  });
}

function emailOf(page: Page, { exchange: t }: Words) {
  const dialog = page.getByRole("dialog", { name: t("email.title") });
  return {
    dialog,
    field: dialog.getByLabel(t("email.label"), { exact: true }),
    create: dialog.getByRole("button", { name: t("destination.create") }),
    skip: dialog.getByRole("button", { name: t("email.skip") }),
  };
}

async function openAsked(page: Page, open: (path: string) => Promise<void>, path: string): Promise<void> {
  const asked = page.waitForResponse(RATE);
  await open(path);
  await asked;
}

const created = async (page: Page): Promise<Order> => (await page.waitForResponse(CREATE)).json();

for (const lang of LOCALES) {
  test.describe(`in ${lang}`, () => {
    test.use({ lang });

    test("every error at once, then an order with an email that is remembered, or without one", async ({
      page,
      open,
      words,
    }) => {
      const t = words.exchange;
      await askForEmails(page);
      await openAsked(page, open, FIXED);
      const step = destinationOf(page, words, COINS);
      await step.create.click();
      await expect(page.getByText(t("destination.attention", { count: 3 }))).toBeVisible();
      await expect(page.getByText(t("blocker.addressEmpty", { ticker: "USDT" }))).toBeVisible();
      await expect(page.getByText(t("blocker.refundEmpty", { ticker: "ETH" }))).toBeVisible();
      await expect(page.getByText(t("blocker.terms"))).toBeVisible();
      await expect(step.address).toBeFocused();

      const address = randomAddress();
      await step.address.fill(address);
      await step.refund.fill(address);
      await step.terms.check();
      await expect(page.getByText(t("blocker.refundSame"))).toBeVisible();
      await step.create.click();
      await expect(page.getByText(t("destination.attention", { count: 1 }))).toBeVisible();
      await expect(step.refund).toBeFocused();
      await step.refund.fill(randomAddress());
      await step.create.click();

      const email = emailOf(page, words);
      await expect(email.field).toBeFocused();
      await email.field.fill("ann+list@mail");
      await expect(email.field).toHaveValue("annlist@mail");
      await expect(email.dialog.getByText(t("email.plus"))).toBeVisible();
      await email.create.click();
      await expect(email.dialog.getByText(t("email.EMAIL_VALIDATION_ERROR"))).toBeVisible();
      await expect(email.field).toBeFocused();
      await expectAccessible(page);
      await email.field.fill("ann@mail.example");
      await Promise.all([
        created(page).then((order) => expect(order.userEmail).toBe("ann@mail.example")),
        email.create.click(),
      ]);
      await expect(orderOf(page, words).pay).toBeVisible();

      await openAsked(page, open, STEP);
      await expect(page.getByRole("paragraph").filter({ hasText: "ann@mail.example" })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: t("email.forget") }).click();
      await step.address.fill(address);
      await step.terms.check();
      await step.create.click();
      await Promise.all([created(page).then((order) => expect(order.userEmail).toBeNull()), email.skip.click()]);
      await expect(orderOf(page, words).pay).toBeVisible();
    });
  });
}

test("an order with an email without the mouse", { tag: "@desktop" }, async ({ page, open, words }) => {
  await askForEmails(page);
  await openAsked(page, open, STEP);
  const step = destinationOf(page, words, COINS);
  await tabTo(page, step.address);
  await page.keyboard.type(randomAddress());
  await tabTo(page, step.terms);
  await page.keyboard.press("Space");
  await tabTo(page, step.create);
  await page.keyboard.press("Enter");
  const email = emailOf(page, words);
  await expect(email.field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(email.dialog).toBeHidden();
  await expect(step.create).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(email.field).toBeFocused();
  await page.keyboard.type("ann@mail.example");
  await Promise.all([
    created(page).then((order) => expect(order.userEmail).toBe("ann@mail.example")),
    page.keyboard.press("Enter"),
  ]);
  await expect(orderOf(page, words).pay).toBeVisible();
});

test("a reload while the order is being created goes on with the same order", async ({ page, open, words }) => {
  const sent: { key: string | undefined; body: unknown }[] = [];
  const orders: string[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(CREATE, async (route: Route) => {
    const request = route.request();
    sent.push({ key: request.headers()["idempotency-key"], body: request.postDataJSON() });
    const response = await route.fetch();
    orders.push(((await response.json()) as Order).orderId);
    // The service has made the order; its first answer never comes.
    if (sent.length === 1) return;
    await gate.promise;
    await route.fulfill({ response });
  });
  await open(STEP);
  const step = destinationOf(page, words, COINS);
  await step.address.fill(randomAddress());
  await step.terms.check();
  await step.create.click();
  await expect(page.getByRole("button", { name: words.exchange("destination.creating") })).toBeVisible();
  await expect.poll(() => orders).toHaveLength(1);

  await page.reload();
  await expect(page).toHaveURL(/\/order\/pending$/);
  const title = page.getByRole("heading", { level: 1, name: words.exchange("pending.title") });
  await expect(title).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(title).toBeVisible();
  gate.resolve();
  await expect(orderOf(page, words).pay).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/order/${orders[0]}\\?`));
  expect(new Set(orders).size).toBe(1);
  for (const one of sent) expect(one).toEqual(sent[0]);
});

test("what a service refuses after a lost answer is told on the form", async ({ page, open, words, problems }) => {
  problems.expect({ url: "/orders/public/create", as: 403 });
  problems.expect({ url: "/orders/public/create", as: "failed" });
  problems.expectSaid(/the order was not created/);
  const refusal = { status: "ERR_FORBIDDEN", message: "Client data is blacklisted", traceId: "t" };
  let calls = 0;
  await page.route(CREATE, (route) => {
    calls += 1;
    return calls === 1 ? route.abort("connectionrefused") : route.fulfill({ status: 403, json: refusal });
  });
  await open(STEP);
  const step = destinationOf(page, words, COINS);
  const address = randomAddress();
  await step.address.fill(address);
  await step.terms.check();
  await step.create.click();
  await expect(page.getByText(words.exchange("creation.blacklisted"))).toBeVisible({ timeout: 30_000 });
  await expect(step.address).toHaveValue(address);
  await page.goto("/order/pending");
  await expect(page.getByRole("heading", { name: words.order("pending.title") })).toBeVisible();
});
