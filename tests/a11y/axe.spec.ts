import { untilSettled } from "../e2e/support/settled.ts";
import {
  keepProcessing,
  newOrder,
  orderBelowMinimum,
  orderPath,
  orderWithEndedRate,
  untilOrderSaved,
} from "../e2e/support/orders.ts";
import { calculatorOf, choiceOf, destinationOf, orderOf, ordersOf } from "../e2e/support/screens.ts";
import { expect, test } from "../e2e/support/test.ts";
import { LOCALES } from "../e2e/support/texts.ts";
import { expectAccessible } from "./accessible.ts";

const STEP = "/exchange-eth-usdt-erc20?amount=0.5&mode=fixed&step=destination";

test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const lang of LOCALES) {
  // English in both widths; Russian, whose texts are longer, on the desktop.
  test.describe(`in ${lang}`, lang === "en" ? {} : { tag: "@desktop" }, () => {
    test.use({ lang });

    test("home", async ({ page, open }) => {
      await open("/");
      await expectAccessible(page);
    });

    test("exchange, and its step with errors", async ({ page, open, texts }) => {
      await open("/exchange-eth-usdt-erc20?amount=0.0001");
      await expect(calculatorOf(page, texts).send).toHaveAttribute("aria-invalid", "true");
      await expectAccessible(page);

      await open(STEP);
      await expectAccessible(page);
      const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
      await step.create.click();
      await expect(page.getByText(texts.exchange("blocker.terms"))).toBeVisible();
      await expect(step.address).toBeFocused();
      await expectAccessible(page);
    });
  });
}

test("the page that stops a refund, and what it answers", async ({ page, open, texts, problems }) => {
  problems.expect({ url: "/stop-refund", as: 404 });
  await open("/stop-refund#orderId=7KQ4M2XD7KQ4M2XD7KQ4M2XD&token=none");
  const stop = page.getByRole("button", { name: texts.order("stop.do") });
  await expect(stop).toBeEnabled();
  await expectAccessible(page);
  await stop.click();
  await expect(page.getByRole("heading", { name: texts.order("stop.unknown.title") })).toBeVisible();
  await expectAccessible(page);
});

test("an email that was set without the order's page", async ({ page, open, texts, api }) => {
  const order = await newOrder(api);
  await api.call("setEmail", { body: { orderId: order.orderId, userEmail: "someone@mail.example" } });
  await open(orderPath(order));
  const confirm = page.getByRole("button", { name: texts.order("updates.confirm") });
  await expect(confirm).toBeVisible();
  await expectAccessible(page);
  await confirm.click();
  await expect(confirm).toBeHidden();
  await expectAccessible(page);
});

test("the list of coins", async ({ page, open, texts }) => {
  await open("/");
  await calculatorOf(page, texts).sendCoin.click();
  const dialog = page.getByRole("dialog", { name: texts.exchange("selector.send") });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("combobox").fill("no such coin");
  await expect(dialog.getByText(texts.exchange("selector.nothingHint"))).toBeVisible();
  await expectAccessible(page);
});

test("the menus", async ({ page, open }) => {
  await open("/");
  for (const menu of await page.locator("header summary").all()) {
    await menu.click();
    await expectAccessible(page);
  }
});

test("an order from its deposit to its receipt", async ({ page, open, texts, api }) => {
  await open(orderPath(await newOrder(api)));
  const order = orderOf(page, texts);
  await expect(order.pay).toBeVisible();
  await expectAccessible(page);

  const processing = await keepProcessing(page);
  await order.pay.click();
  await expect(order.step("processing")).toHaveAttribute("aria-current", "step", { timeout: 30_000 });
  await expectAccessible(page);

  await processing.letGoOn();
  await untilSettled(page, order.sentToYou);
  await expectAccessible(page);
});

test("the choice after a fixed rate has ended, and the refund's receipt", async ({ page, open, texts, api }) => {
  await open(orderPath(await orderWithEndedRate(api)));
  const choice = choiceOf(page, texts);
  await expect(choice.undecided).toBeDisabled();
  await expectAccessible(page);
  await choice.refund.check();
  await expectAccessible(page);

  await choice.doRefund.click();
  await untilSettled(page, choice.returned);
  await expectAccessible(page);
});

test("a sum that is too small, and the refund dialog with its error", async ({ page, open, texts, api }) => {
  await open(orderPath(await orderBelowMinimum(api)));
  const choice = choiceOf(page, texts);
  await untilSettled(page, choice.getRefund);
  await expectAccessible(page);
  await choice.getRefund.click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
  await choice.doRefund.click();
  await expect(choice.address).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
});

const SEEN = { confirmations: 0, requiredConfirmations: 3, txId: "0x1", detectedAt: new Date().toISOString() };
const AWAITED = [{ kind: "INCOMING_FUNDS_DETECTED", at: SEEN.detectedAt }];
/** States that last too briefly, or come too late, to be waited for; the service's answer is changed to them. */
const STATES = {
  expired: { status: "expired" },
  "too small to count": { attention: { reason: "BELOW_MINIMUM", expected: "0.01", received: "0.0001" } },
  unconfirmed: { orderEvents: AWAITED, deposits: [{ ...SEEN, amount: "0.5" }] },
  held: { review: { reason: "PAYMENTS_STOPPED", needed: "OPERATOR", until: SEEN.detectedAt } },
};

for (const [name, state] of Object.entries(STATES)) {
  test(`an order that is ${name}`, async ({ page, open, texts, api }) => {
    await page.route("**/api/v1/orders/public-info?*", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), ...state } });
    });
    await open(orderPath(await newOrder(api)));
    const shown = {
      expired: page.getByText(texts.order("expired.title")),
      "too small to count": page.getByText(texts.order("attention.tooSmall.title", { received: "0.0001\u00A0ETH" })),
      unconfirmed: page.getByText(texts.order("timeline.depositUnconfirmed")),
      held: page.getByText(texts.order("review.PAYMENTS_STOPPED.title")),
    };
    await untilSettled(page, shown[name as keyof typeof shown].first());
    await expectAccessible(page);
  });
}

test("an offer that has ended", async ({ page, open, texts, api }) => {
  const order = await orderWithEndedRate(api);
  await page.route("**/api/v1/orders/public-info?*", async (route) => {
    const body = await (await route.fetch()).json();
    const validUntil = new Date(Date.parse(body.offer.at) - 1000).toISOString();
    await route.fulfill({ json: { ...body, offer: { ...body.offer, validUntil } } });
  });
  await open(orderPath(order));
  await untilSettled(page, page.getByRole("button", { name: texts.order("choice.renew") }));
  await expectAccessible(page);
});

test("an order that can't be found", async ({ page, open, texts, problems }) => {
  const path = `/order/${"A".repeat(22)}`;
  problems.expect({ url: path, as: 404 });
  await open(path);
  await expectAccessible(page);
  await page.getByRole("button", { name: texts.order("lookup.find") }).click();
  await expect(page.getByText(texts.order("lookup.addressEmpty"))).toBeVisible();
  await expectAccessible(page);
});

test("the orders of this device", { tag: "@phone" }, async ({ page, open, texts, api }) => {
  const order = await newOrder(api);
  await open("/orders");
  await expectAccessible(page);
  await open(orderPath(order));
  await untilOrderSaved(page, order);
  await open("/orders");
  const list = ordersOf(page, texts);
  await list.edit.click();
  await expectAccessible(page);
  await list.forget(order.reference).click();
  await expect(list.dialog).toBeVisible();
  await expectAccessible(page);
});

test("an order that isn't created yet", async ({ page, open }) => {
  await open("/order/pending");
  await expectAccessible(page);
});

test("nothing at an address", async ({ page, open, problems }) => {
  problems.expect({ url: "/nothing-here", as: 404 });
  await open("/nothing-here");
  await expectAccessible(page);
});

test("a page that can't be loaded", async ({ page, open, texts, problems }) => {
  problems.expect({ url: "/instruments/public", as: 500 });
  await open("/");
  await page.route("**/api/v2/instruments/public?*", (route) => route.fulfill({ status: 500, body: "{}" }));
  await calculatorOf(page, texts).proceed.click();
  await expect(page.getByRole("heading", { level: 1, name: texts.common("failed.title") })).toBeVisible();
  await expectAccessible(page);
});
