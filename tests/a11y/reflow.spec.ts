import type { Page } from "@playwright/test";
import { newOrder, orderPath } from "../e2e/support/orders.ts";
import { calculatorOf, destinationOf, orderOf } from "../e2e/support/screens.ts";
import { expect, test } from "../e2e/support/test.ts";
import { LOCALES } from "../e2e/support/texts.ts";

const NARROW = [
  { name: "320 px wide", viewport: { width: 320, height: 640 }, deviceScaleFactor: 2 },
  { name: "a desktop at 400 %", viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
];

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.tagName} ${element.getAttribute("class")}`);
  });
  expect(wide).toEqual([]);
}

for (const { name, ...screen } of NARROW) {
  for (const lang of LOCALES) {
    test.describe(`${name}, in ${lang}`, { tag: "@desktop" }, () => {
      test.use({ ...screen, lang });

      test("nothing scrolls sideways", async ({ page, open, texts, problems, api }) => {
        await open("/");
        await expectNoSidewaysScroll(page);
        await calculatorOf(page, texts).getCoin.click();
        await expect(page.getByRole("dialog")).toBeVisible();
        await expectNoSidewaysScroll(page);

        await open("/popular-exchanges");
        await expectNoSidewaysScroll(page);

        await open("/exchange-eth-usdt-erc20?amount=0.000123456789012345");
        await expectNoSidewaysScroll(page);
        await open("/exchange-usdt-erc20-eth?amount=123456.123456&mode=fixed");
        await expectNoSidewaysScroll(page);
        await open("/exchange-eth-usdt-erc20?amount=0.5&mode=fixed&step=destination");
        await destinationOf(page, texts, { send: "ETH", get: "USDT" }).create.click();
        await expect(page.getByText(texts.exchange("blocker.terms"))).toBeVisible();
        await expectNoSidewaysScroll(page);

        await open(orderPath(await newOrder(api)));
        await expect(orderOf(page, texts).pay).toBeVisible();
        await expectNoSidewaysScroll(page);

        await open("/orders");
        await expectNoSidewaysScroll(page);
        await open("/order/pending");
        await expectNoSidewaysScroll(page);

        problems.expect({ url: /\/order\/A{22}$/, as: 404 });
        await open(`/order/${"A".repeat(22)}`);
        await expectNoSidewaysScroll(page);
        problems.expect({ url: /nothing-here/, as: 404 });
        await open(`/nothing-here-${"x".repeat(80)}`);
        await expectNoSidewaysScroll(page);
      });
    });
  }
}
