import { randomAddress } from "../support/http-swap.ts";
import { balanceOf } from "./support/payout.ts";
import { calculatorOf, decimalOf, destinationOf, orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";
import { LOCALES } from "./support/words.ts";

const PAID_OUT_MS = 60_000;

for (const lang of LOCALES) {
  test.describe(`in ${lang}`, () => {
    test.use({ lang });

    test("a guest swaps ETH for USDT in under eight interactions", async ({
      page,
      open,
      person,
      words,
      api,
      chain,
    }) => {
      const destination = randomAddress();
      await open("/");
      const calculator = calculatorOf(page, words);
      await person.type(calculator.send, "0.5");
      await person.press(calculator.proceed);
      const step = destinationOf(page, words, { send: "ETH", get: "USDT" });
      await person.type(step.address, destination);
      await person.tick(step.terms);
      await person.press(step.create);
      const order = orderOf(page, words);
      await person.press(order.pay);

      await expect(order.sentToYou).toBeVisible({ timeout: PAID_OUT_MS });
      expect(person.interactions).toBeLessThan(8);
      const received = await balanceOf({ api, chain }, "usdt-erc20", destination);
      expect(received).toMatch(/^1\d{3}\.?\d*$/);
      expect(decimalOf(await order.delivered.innerText())).toBe(received);
    });

    test("a fixed rate asked for by what it pays is paid out to the unit", async ({
      page,
      open,
      person,
      words,
      api,
      chain,
    }) => {
      const [destination, refund] = [randomAddress(), randomAddress()];
      await open("/exchange-eth-usdt-erc20");
      const calculator = calculatorOf(page, words);
      await person.tick(calculator.fixed);
      await person.type(calculator.getExactly, "777.25");
      await person.press(calculator.proceed);
      const step = destinationOf(page, words, { send: "ETH", get: "USDT" });
      await person.type(step.address, destination);
      await person.type(step.refund, refund);
      await person.tick(step.terms);
      await person.press(step.create);
      const order = orderOf(page, words);
      await expect(page.getByRole("timer")).toBeVisible();
      await person.press(order.pay);

      await expect(order.sentToYou).toBeVisible({ timeout: PAID_OUT_MS });
      expect(decimalOf(await order.delivered.innerText())).toBe("777.25");
      expect(await balanceOf({ api, chain }, "usdt-erc20", destination)).toBe("777.25");
    });
  });
}
