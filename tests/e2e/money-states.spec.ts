import type { Locator, Page } from "@playwright/test";
import { compareDecimals } from "#contract/money.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { applicationFor, orderAfter, randomAddress, readOrder } from "../support/scenarios/http-swap.ts";
import { eventually } from "../support/eventually.ts";
import { createFixedOrder } from "./support/create-order.ts";
import { orderPath, orderWithEndedRate } from "./support/orders.ts";
import { test } from "./support/own-server.ts";
import { calculatorOf, choiceOf, decimalOf, destinationOf, orderOf, ordersOf } from "./support/screens.ts";
import { untilSettled } from "./support/settled.ts";
import { expect } from "./support/test.ts";
import { DESKTOP, PHONE } from "./support/widths.ts";

const COINS = { send: "ETH", get: "USDT" };
const DAY_S = 86_400;

/** What a state must not say while somebody's decision is waited for. */
async function expectDecisionAsked(page: Page, { order: t }: { order: (key: "ring.close" | "head.share") => string }) {
  const main = page.getByRole("main");
  await expect(main).not.toContainText(t("ring.close"));
  await expect(main.getByRole("button", { name: t("head.share") })).toHaveCount(0);
}

/** Screen readers are told of a state that the order came to while its page was open, once. */
const expectAnnounced = (page: Page, text: string) =>
  expect(page.getByRole("status").filter({ hasText: text })).toHaveCount(1);

/** Drawn alike: no way out is put before another. */
const looks = (button: Locator) =>
  button.evaluate((element) => {
    const { backgroundColor, color, fontWeight, blockSize, inlineSize } = getComputedStyle(element);
    return { backgroundColor, color, fontWeight, blockSize, inlineSize };
  });

// One after another on one server: the last two move its clock.
test.describe.configure({ mode: "default", timeout: 120_000 });
test.use({ serverOf: "money-states" });

for (const [lang, device] of [
  ["en", PHONE],
  ["ru", DESKTOP],
] as const) {
  test.describe(`in ${lang}`, () => {
    test.use({ ...device, lang });

    test("a deposit under the minimum is topped up and exchanged", async ({ page, open, texts, api, person }) => {
      const t = texts.order;
      const order = await api.call("createOrder", await applicationFor(api));
      await open(orderPath(order));
      await orderOf(page, texts).pay.focus();
      await api.call("sandboxPay", { body: { orderId: order.orderId, amount: "0.001" } });
      await untilSettled(page, choiceOf(page, texts).tooLittle("0.001\u00A0ETH"));
      await expectDecisionAsked(page, texts);
      await expectAnnounced(
        page,
        t("attention.BELOW_MINIMUM.title", { received: "0.001\u00A0ETH", expected: "#" }).split("#")[0] ?? "",
      );
      await expect(page.locator(".w-order__steps")).toBeFocused();
      const topUp = page
        .getByRole("group", { name: t("attention.group") })
        .getByRole("button", { name: t("address.copy") });
      expect(await looks(topUp)).toEqual(await looks(choiceOf(page, texts).getRefund));
      await expect(page.getByRole("main")).toContainText(order.depositAddress ?? "");
      await expectAccessible(page);

      await open("/orders");
      const { rows } = ordersOf(page, texts);
      await expect(rows.filter({ hasText: t("list.status.attention") })).toHaveCount(1);

      await person.press(rows.first());
      await api.call("sandboxPay", { body: { orderId: order.orderId, amount: "0.4" } });
      await untilSettled(page, orderOf(page, texts).sentToYou);
      await expect(page.getByRole("main")).toContainText("0.401\u00A0ETH");
      await expect(page.locator(".w-order--moved")).toBeVisible();
      await page.reload();
      await expect(orderOf(page, texts).sentToYou).toBeVisible();
      await expect(page.locator(".w-order--moved")).toHaveCount(0);
    });

    test("a deposit over the maximum is refunded", async ({ page, open, texts, api, person }) => {
      const t = texts.order;
      const order = await api.call("createOrder", await applicationFor(api));
      await open(orderPath(order));
      await api.call("sandboxPay", { body: { orderId: order.orderId, amount: "90" } });
      const { attention } = await eventually("the sum is judged", async () => {
        const now = await readOrder(api, order);
        return now.attention === null ? null : now;
      });
      const expected = `${attention?.expected}\u00A0ETH`;
      const title = t("attention.ABOVE_MAXIMUM.title", { received: "90\u00A0ETH", expected });
      await untilSettled(page, page.getByRole("region", { name: title }));
      await expectDecisionAsked(page, texts);
      await expect(page.getByRole("heading", { name: t("attention.topUp") })).toHaveCount(0);
      await expectAccessible(page);
      await open("/orders");
      const { rows } = ordersOf(page, texts);
      await expect(rows.first()).toContainText(t("list.status.attention"));

      await person.press(rows.first());
      const choice = choiceOf(page, texts);
      await person.press(choice.getRefund);
      await person.type(choice.address, randomAddress());
      await person.press(choice.doRefund);
      await untilSettled(page, choice.returned);
      expect(decimalOf(await orderOf(page, texts).delivered.innerText())).toMatch(/^89\.99/);
    });

    test("a held payment says why, and goes on when it is released", async ({ page, open, texts, api, server }) => {
      const t = texts.order;
      const order = await api.call("createOrder", await applicationFor(api));
      server.admin("stop", "pay", "usdt-erc20", "to", "a", "test", "--as", "ann");
      try {
        await open(orderPath(order));
        await api.call("sandboxPay", { body: { orderId: order.orderId } });
        await untilSettled(page, page.getByRole("article").getByText(t("review.PAYMENTS_STOPPED.title")));
        await expectAnnounced(page, t("review.PAYMENTS_STOPPED.title"));
        await expect(page.getByRole("main")).toContainText(t("review.needed.OPERATOR"));
        await expect(page.getByRole("heading", { name: t("ring.held") })).toBeVisible();
        await expectAccessible(page);
        await open("/orders");
        await expect(ordersOf(page, texts).rows.first()).toContainText(t("list.status.held"));
      } finally {
        server.admin("release", "pay", "usdt-erc20", "to", "a", "test", "--as", "ann");
      }
      await open(orderPath(order));
      await untilSettled(page, orderOf(page, texts).sentToYou);
    });
  });
}

test.describe("in en", () => {
  test.use(PHONE);

  test("the receipt of an accepted rate has the fee that was taken, and no later deposit", async ({
    page,
    open,
    texts,
    api,
    person,
  }) => {
    const t = texts.order;
    const ended = await orderWithEndedRate(api);
    await open(orderPath(ended));
    const choice = choiceOf(page, texts);
    await person.choose(choice.accept);
    await person.press(choice.doAccept);
    await untilSettled(page, orderOf(page, texts).sentToYou);
    const done = await orderAfter(api, ended, "WITHDRAWAL_COMPLETED");
    const { platformFee_Absolute: quoted } = done.claimedPublicRate;
    const taken = done.feesTaken?.platformFee ?? "0";
    // Four fifths of the sum: about four fifths of the fee.
    expect(compareDecimals(taken, "0")).toBe(1);
    expect(compareDecimals(taken, quoted)).toBe(-1);
    const row = (name: string | RegExp) => page.locator(".w-order-receipt dl > div").filter({ hasText: name });
    const fee = t("receipt.fee");
    expect(
      decimalOf(
        await row(new RegExp(`^${fee}`))
          .locator("dd")
          .innerText(),
      ),
    ).toBe(taken);
    await expect(row(new RegExp(`^${fee}`))).not.toContainText(t("receipt.asQuoted"));

    await api.call("sandboxPay", { body: { orderId: ended.orderId, amount: "0.1" } });
    await expect.poll(async () => (await readOrder(api, ended)).deposits.length).toBe(2);
    await page.reload();
    await expect(orderOf(page, texts).sentToYou).toBeVisible();
    expect(decimalOf(await row(t("receipt.sent")).first().locator("dd").innerText())).toBe("0.4");
  });

  test("a refund to a new address says until when it waits", async ({ page, open, texts, api, person, server }) => {
    const t = texts.order;
    const application = await applicationFor(api);
    const order = await api.call("createOrder", {
      ...application,
      body: { ...application.body, userEmail: "ann@mail.example" },
    });
    await api.call("sandboxPay", { body: { orderId: order.orderId, amount: "0.001" } });
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    await open(orderPath(order));
    const choice = choiceOf(page, texts);
    await untilSettled(page, choice.tooLittle("0.001\u00A0ETH"));
    await person.press(choice.getRefund);
    await person.type(choice.address, randomAddress());
    await person.press(choice.doRefund);
    await untilSettled(page, page.getByRole("article").getByText(t("review.REFUND_DELAYED.title")));
    await expectAnnounced(page, t("review.REFUND_DELAYED.title"));
    const until = (await readOrder(api, order)).review?.until ?? "";
    await expect(page.locator(".w-order-review time")).toHaveAttribute("datetime", until);
    await api.call("sandboxClock", { body: { advanceSeconds: 3_601 } });
    await untilSettled(page, choice.returned);
    expect(server.isRunning).toBe(true);
  });

  test("an expired order is created again with everything filled in", async ({ page, open, texts, api, person }) => {
    const t = texts.order;
    const [destination, refund] = [randomAddress(), randomAddress()];
    await createFixedOrder({ page, open, person, texts }, { amountToGet: "777.25", destination, refund });
    await expect(orderOf(page, texts).pay).toBeVisible();
    const first = page.url();
    const orderId = /\/order\/([A-Za-z0-9]+)/.exec(first)?.[1] ?? "";
    await api.call("setEmail", {
      body: { orderId, userEmail: "ann@mail.example", destinationAddress: destination },
    });
    await api.call("sandboxClock", { body: { advanceSeconds: DAY_S + 1_300 } });
    await untilSettled(page, page.getByRole("article").getByText(t("expired.title")));
    await expectAccessible(page);

    await expectAnnounced(page, t("expired.title"));
    await person.press(page.getByRole("link", { name: t("expired.again") }).filter({ visible: true }));
    const calculator = calculatorOf(page, texts);
    const step = destinationOf(page, texts, COINS);
    await expect(calculator.fixed).toBeChecked();
    await expect(calculator.getExactly).toHaveValue("777.25");
    await person.press(calculator.proceed);
    await expect(step.address).toHaveValue(destination);
    await expect(step.refund).toHaveValue(refund);
    await expect(page.getByRole("paragraph").filter({ hasText: "ann@mail.example" })).toBeVisible();
    await expect(step.terms).not.toBeChecked();
    await person.tick(step.terms);
    await person.press(step.create);
    await expect(orderOf(page, texts).pay).toBeVisible();
    expect(page.url()).not.toBe(first);
    const again = /\/order\/([A-Za-z0-9]+)/.exec(page.url())?.[1] ?? "";
    const made = await api.call("orderInfo", { query: { orderId: again, destinationAddress: destination } });
    expect(made).toMatchObject({
      rateMode: "FIXED",
      refundAddress: refund,
      userEmail: "ann@mail.example",
      claimedPublicRate: { claimedAmountToReceive: "777.25" },
    });
  });
});
