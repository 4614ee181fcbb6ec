import { expect, type Page } from "@playwright/test";
import type { Order } from "#contract/order.ts";
import type { Api } from "../../support/http/api.ts";
import { applicationFor, orderAfter } from "../../support/scenarios/http-swap.ts";
import { savedIn } from "./saved.ts";

/** An unpaid order of half an ETH, created without the browser. */
export const newOrder = async (api: Api): Promise<Order> => api.call("createOrder", await applicationFor(api));

export const orderPath = ({ orderId, destinationAddress }: Order): string =>
  `/order/${orderId}?${new URLSearchParams({ destinationAddress })}`;

/** A fixed order whose rate has ended because its deposit is less than was agreed: the market is shared and stays untouched. */
export async function orderWithEndedRate(api: Api): Promise<Order> {
  const order = await api.call("createOrder", await applicationFor(api, { rateMode: "FIXED" }));
  await api.call("sandboxPay", { body: { orderId: order.orderId, amount: "0.4" } });
  return orderAfter(api, order, "RATE_MODE_CHANGED");
}

/** An order whose deposit is below the minimum, so that it can only be refunded. */
export async function orderBelowMinimum(api: Api, amount = "0.001"): Promise<Order> {
  const order = await api.call("createOrder", await applicationFor(api));
  await api.call("sandboxPay", { body: { orderId: order.orderId, amount } });
  await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
  return order;
}

/** Keeps the page at the first state after the deposit while it is looked at. */
export async function keepProcessing(page: Page): Promise<{ letGoOn: () => Promise<void> }> {
  const info = "**/api/v1/orders/public-info?*";
  let saved: string | null = null;
  await page.route(info, async (route) => {
    while (saved === null) {
      const body = await (await route.fetch()).text();
      if (/"kind":"[A-Z_]*DEPOSIT/.test(body)) saved = body;
    }
    await route.fulfill({ contentType: "application/json", body: saved });
  });
  return { letGoOn: () => page.unroute(info) };
}

/** The page has saved an order that it shows on this device. */
export async function untilOrderSaved(page: Page, { orderId }: Order): Promise<void> {
  await expect.poll(() => savedIn(page, "wherry-orders")).toContain(orderId);
}
