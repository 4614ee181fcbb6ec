import { expect, type Page } from "@playwright/test";
import type { Api } from "../support/api.ts";
import { newOrder, orderPath } from "../e2e/support/orders.ts";
import { calculatorOf, destinationOf, orderOf } from "../e2e/support/screens.ts";
import type { Problems } from "../e2e/support/problems.ts";
import type { Texts } from "../e2e/support/texts.ts";

type Walk = {
  readonly page: Page;
  readonly open: (path: string) => Promise<void>;
  readonly texts: Texts;
  readonly problems: Problems;
  readonly api: Api;
};

/** Opens every route, the list of coins and a form with all its errors, and looks at each. */
export async function everyScreen(
  { page, open, texts, problems, api }: Walk,
  look: (screen: string) => Promise<void>,
): Promise<void> {
  const visit = async (path: string): Promise<void> => {
    await open(path);
    await look(path);
  };
  await visit("/");
  await calculatorOf(page, texts).getCoin.click();
  await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
  await look("the list of coins");
  await page.keyboard.press("Escape");

  await visit("/popular-exchanges");
  await visit("/exchange-eth-usdt-erc20?amount=0.000123456789012345");
  await visit("/exchange-usdt-erc20-eth?amount=123456.123456&mode=fixed");
  await open("/exchange-eth-xrp?amount=0.5&mode=fixed&step=destination");
  await destinationOf(page, texts, { send: "ETH", get: "XRP" }).create.click();
  await expect(page.getByText(texts.exchange("blocker.terms"))).toBeVisible();
  await look("the destination step with its errors");

  await open(orderPath(await newOrder(api)));
  await expect(orderOf(page, texts).pay).toBeVisible();
  await look("an order that waits for its deposit");
  await visit("/orders");
  await visit("/order/pending");
  await visit("/stop-refund");
  problems.expect({ url: /\/order\/A{22}$/, as: 404 });
  await visit(`/order/${"A".repeat(22)}`);
  problems.expect({ url: /nothing-here/, as: 404 });
  await visit(`/nothing-here-${"x".repeat(80)}`);
}
