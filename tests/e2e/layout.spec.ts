import type { Locator } from "@playwright/test";
import { keepProcessing, newOrder, orderPath } from "./support/orders.ts";
import { calculatorOf, destinationOf, orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it is not in the page");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test.describe("on a desktop", { tag: "@desktop" }, () => {
  test("an order's button is part of the card that says how it stands", async ({ page, open, texts, api }) => {
    await open(orderPath(await newOrder(api)));
    await expect(page.locator(".w-order__pay")).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    const processing = await keepProcessing(page);
    await orderOf(page, texts).pay.click();
    const share = page.getByRole("button", { name: texts.order("head.share") });
    await expect(share).toBeVisible({ timeout: 30_000 });
    const button = await boxOf(share);
    const card = await boxOf(page.locator(".w-order__state"));
    expect([button.x > card.x, button.right < card.right, button.bottom < card.bottom]).toEqual([true, true, true]);
    await processing.letGoOn();
  });

  test("the destination step stands beside its calculator on a wide screen too", async ({ page, open, texts }) => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await open("/exchange-eth-xrp?amount=0.5&mode=fixed&step=destination");
    const calculator = await boxOf(calculatorOf(page, texts).root);
    const step = await boxOf(destinationOf(page, texts, { send: "ETH", get: "XRP" }).title);
    expect(step.x - calculator.right).toBeLessThanOrEqual(96);
    expect(Math.abs(calculator.x - (1920 - (step.x + 472)))).toBeLessThan(2);
  });

  test("a pair's page has its words and even amounts at the left of the calculator", async ({ page, open, texts }) => {
    await open("/exchange-eth-usdt-erc20?amount=0.5");
    const calculator = await boxOf(calculatorOf(page, texts).root);
    const title = await boxOf(page.getByRole("heading", { level: 1 }));
    expect([title.right < calculator.x, title.y < calculator.bottom]).toEqual([true, true]);
    const widths = await page
      .locator(".w-presets__amount")
      .evaluateAll((presets) => presets.map((preset) => Math.round(preset.getBoundingClientRect().width)));
    expect(new Set(widths).size).toBe(1);
  });
});

test.describe("on a phone", { tag: "@phone" }, () => {
  test("what is pressed is 44 px high", async ({ page, open, texts }) => {
    await open("/");
    const { fixed, floating, swap, sendCoin, proceed } = calculatorOf(page, texts);
    for (const control of [fixed, floating, swap, sendCoin, proceed])
      expect((await boxOf(control)).height).toBeGreaterThanOrEqual(44);
  });

  test.describe("of 320 px", () => {
    test.use({ viewport: { width: 320, height: 640 } });

    test("a coin's network is shown whole", async ({ page, open }) => {
      await open("/");
      await expect(page.locator(".w-coin-pill__network").first()).toBeVisible();
      const cut = await page
        .locator(".w-coin-pill__network")
        .evaluateAll((networks) =>
          networks.filter((name) => name.scrollWidth > name.clientWidth || name.clientHeight > 16),
        );
      expect(cut).toEqual([]);
    });
  });

  test("a message's button stands above the tabs", async ({ page, open, texts, problems }) => {
    problems.expect({ url: /nothing-here/, as: 404 });
    for (const height of [640, 740, 844]) {
      await page.setViewportSize({ width: 390, height });
      await open("/nothing-here");
      const button = page.getByRole("link", { name: texts.common("notFound.exchange") });
      await button.scrollIntoViewIfNeeded();
      const tabs = await boxOf(page.getByRole("navigation", { name: texts.common("nav.tabs") }));
      expect((await boxOf(button)).bottom).toBeLessThanOrEqual(tabs.y);
    }
  });
});
