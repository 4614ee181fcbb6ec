import { randomAddress } from "../support/http-swap.ts";
import { tabTo } from "./support/keyboard.ts";
import { balanceOf } from "./support/payout.ts";
import { calculatorOf, decimalOf, destinationOf, orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

test("one whole swap without the mouse", { tag: "@desktop" }, async ({ page, open, words, api, chain }) => {
  const destination = randomAddress();
  await open("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: words.common("nav.skip") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();

  const calculator = calculatorOf(page, words);
  await tabTo(page, calculator.send);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("0.5");
  await expect(calculator.getAbout).toHaveValue(/^1\s\d{3}/);
  await tabTo(page, calculator.proceed);
  await page.keyboard.press("Enter");

  const step = destinationOf(page, words, { send: "ETH", get: "USDT" });
  await expect(step.title).toBeVisible();
  await expect(page.locator("#main")).toBeFocused();
  await tabTo(page, step.address);
  await page.keyboard.type(destination);
  await tabTo(page, step.terms);
  await page.keyboard.press("Space");
  await expect(step.terms).toBeChecked();
  await tabTo(page, step.create);
  await page.keyboard.press("Enter");

  const order = orderOf(page, words);
  await expect(order.pay).toBeVisible();
  await tabTo(page, order.pay);
  await page.keyboard.press("Enter");
  await expect(order.sentToYou).toBeVisible({ timeout: 60_000 });
  expect(decimalOf(await order.delivered.innerText())).toBe(await balanceOf({ api, chain }, "usdt-erc20", destination));
});
