import { randomAddress } from "../support/scenarios/http-swap.ts";
import { createFixedOrder } from "./support/create-order.ts";
import { flow } from "./support/flow.ts";
import { untilSettled } from "./support/settled.ts";
import { balanceOf } from "./support/payout.ts";
import { calculatorOf, decimalOf, destinationOf, orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

test.use({ hasWorker: true });

const PAID_OUT_MS = 60_000;
const COINS = { send: "ETH", get: "USDT" };

flow(
  "a guest swaps ETH for USDT in under eight interactions",
  async ({ page, open, person, texts, api, chain, input }) => {
    const destination = randomAddress();
    await open("/");
    if (input === "keyboard") {
      await page.keyboard.press("Tab");
      await expect(page.getByRole("link", { name: texts.common("nav.skip") })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page.locator("#main")).toBeFocused();
    }
    const calculator = calculatorOf(page, texts);
    await person.type(calculator.send, "0.5");
    await expect(calculator.getAbout).toHaveValue(/^1\s\d{3}/);
    await person.press(calculator.proceed);
    const step = destinationOf(page, texts, COINS);
    await expect(step.title).toBeVisible();
    await expect(page.locator("#main")).toBeFocused();
    await person.type(step.address, destination);
    await person.tick(step.terms);
    await person.press(step.create);
    const order = orderOf(page, texts);
    await person.press(order.pay);

    await untilSettled(page, order.sentToYou);
    expect(person.interactions).toBeLessThan(8);
    const received = await balanceOf({ api, chain }, "usdt-erc20", destination);
    expect(received).toMatch(/^1\d{3}\.?\d*$/);
    expect(decimalOf(await order.delivered.innerText())).toBe(received);
  },
);

flow(
  "a fixed rate requested by the amount to get is paid out exactly",
  async ({ page, open, person, texts, api, chain }) => {
    const [destination, refund] = [randomAddress(), randomAddress()];
    await createFixedOrder({ page, open, person, texts }, { amountToGet: "777.25", destination, refund });
    const order = orderOf(page, texts);
    await expect(page.getByRole("timer")).toBeVisible();
    await person.press(order.pay);

    // At the pace of the network and of the page itself.
    await expect(order.sentToYou).toBeVisible({ timeout: PAID_OUT_MS });
    expect(decimalOf(await order.delivered.innerText())).toBe("777.25");
    expect(await balanceOf({ api, chain }, "usdt-erc20", destination)).toBe("777.25");
  },
);
