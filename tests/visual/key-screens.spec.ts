import type { Page } from "@playwright/test";
import { newOrder, orderBelowMinimum, orderPath, orderWithEndedRate, untilOrderSaved } from "../e2e/support/orders.ts";
import { untilSettled } from "../e2e/support/settled.ts";
import { calculatorOf, choiceOf, destinationOf, orderOf, ordersOf } from "../e2e/support/screens.ts";
import { expect, test } from "../e2e/support/test.ts";
import { wholeChromium } from "../e2e/support/whole-chromium.ts";
import { makeStable } from "./stable.ts";

const PHONE = "@phone";
const DESKTOP = "@desktop";
const DARK_RU = { lang: "ru", colorScheme: "dark" } as const;

test.use({
  contextOptions: { reducedMotion: "reduce" },
  bypassCSP: true,
  ...wholeChromium,
  deviceScaleFactor: async ({ lang: _lang }, give, { project }) => give(project.name === "phone" ? 2.625 : 1),
});

/** Compares the first screenful with the stored picture. */
async function expectPicture(page: Page, name: string): Promise<void> {
  await makeStable(page);
  await expect(page).toHaveScreenshot(`${name}.png`, {
    mask: [page.locator("canvas, svg[role=img], .w-order-receipt .w-address, time")],
    maskColor: "#888888",
  });
}

test("home on a phone", { tag: PHONE }, async ({ page, open }) => {
  await open("/");
  await expectPicture(page, "home-phone");
});

test.describe("in Russian, dark", () => {
  test.use(DARK_RU);

  test("home on a desktop", { tag: DESKTOP }, async ({ page, open }) => {
    await open("/");
    await expectPicture(page, "home-desktop-dark-ru");
  });

  test("the choice on a phone", { tag: PHONE }, async ({ page, open, texts, api }) => {
    await open(orderPath(await orderWithEndedRate(api)));
    await expect(choiceOf(page, texts).undecided).toBeVisible();
    await expectPicture(page, "choice-phone-dark-ru");
  });
});

test("an amount below the minimum", { tag: PHONE }, async ({ page, open, texts }) => {
  await open("/exchange-eth-usdt-erc20?amount=0.0001");
  await expect(calculatorOf(page, texts).send).toHaveAttribute("aria-invalid", "true");
  await expectPicture(page, "below-minimum-phone");
});

test("the list of coins", { tag: PHONE }, async ({ page, open, texts }) => {
  await open("/");
  await calculatorOf(page, texts).getCoin.click();
  await expect(page.getByRole("dialog", { name: texts.exchange("selector.get") })).toBeVisible();
  await expectPicture(page, "selector-phone");
});

test("the destination with errors", { tag: PHONE }, async ({ page, open, texts }) => {
  await open("/exchange-eth-usdt-erc20?amount=0.5&mode=fixed&step=destination");
  const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
  await step.create.click();
  await expect(page.getByText(texts.exchange("blocker.terms"))).toBeVisible();
  await expectPicture(page, "destination-errors-phone");
});

for (const [tag, name] of [
  [PHONE, "order-phone"],
  [DESKTOP, "order-desktop"],
] as const)
  test(`an order to pay: ${name}`, { tag }, async ({ page, open, texts, api }) => {
    await open(orderPath(await newOrder(api)));
    await expect(orderOf(page, texts).pay).toBeVisible();
    await expectPicture(page, name);
  });

test("a deposit below the minimum", { tag: PHONE }, async ({ page, open, texts, api }) => {
  // So little that what lacks counts at any price.
  await open(orderPath(await orderBelowMinimum(api, "0.0009")));
  await expect(page.getByText(texts.order("attention.topUp"), { exact: true })).toBeVisible();
  await expectPicture(page, "order-below-minimum-phone");
});

test("a receipt, and the list of orders", { tag: DESKTOP }, async ({ page, open, texts, api }) => {
  const order = await newOrder(api);
  await open(orderPath(order));
  await orderOf(page, texts).pay.click();
  await untilSettled(page, orderOf(page, texts).sentToYou);
  await expectPicture(page, "receipt-desktop");
  await untilOrderSaved(page, order);
  await open("/orders");
  await expect(ordersOf(page, texts).rows).toHaveCount(1);
  await expectPicture(page, "orders-desktop");
});
