import type { Locator } from "@playwright/test";
import { flow } from "./support/flow.ts";
import { newOrder, orderPath, untilOrderSaved } from "./support/orders.ts";
import { orderOf, ordersOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";

test.use({ hasWorker: true });

/** Where the texts of rows stand. */
const linesOf = (rows: Locator) =>
  rows.locator(".w-orders__cell").evaluateAll((cells) =>
    cells.map((cell) => {
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = cell as HTMLElement;
      return [offsetLeft, offsetTop, offsetWidth, offsetHeight];
    }),
  );

const INFO = /\/api\/v1\/orders\/public-info\?/;

flow(
  "the orders of a device are listed with their state, read without a network, found by a link, and forgotten",
  async ({ lang, page, context, open, person, texts, api, problems, baseURL }) => {
    const order = await newOrder(api);
    await open(orderPath(order));
    await untilOrderSaved(page, order);
    await open("/");
    // Interrupted while it caches the build, the worker would be retried only with the next page load.
    await page.waitForFunction(async () => {
      await navigator.serviceWorker.ready;
      return navigator.serviceWorker.controller !== null;
    });
    problems.expect({ url: /./, as: "failed" });
    problems.expectSaid(/WebSocket connection to \S+ failed/);
    await context.setOffline(true);
    await expect(
      page.getByRole("link", { name: texts.common("offline.order", { reference: order.reference }) }),
    ).toBeVisible();
    await context.setOffline(false);
    const list = ordersOf(page, texts);
    await person.press(list.tab.filter({ visible: true }));
    await expect(list.title).toBeVisible();
    await expect(list.rows).toHaveCount(1);
    await expect(list.rows).toContainText(texts.order("list.status.send"));

    await context.setOffline(true);
    await page.goto(pathIn(lang, "/orders"));
    await expect(page.getByText(new RegExp(texts.order("list.offline", { time: "\\d\\d:\\d\\d" })))).toBeVisible();
    await person.press(list.rows);
    await expect(orderOf(page, texts).reference).toHaveText(order.reference);
    await expect(page.getByRole("main")).toContainText(texts.order("stale.offline"));
    await context.setOffline(false);

    await open("/orders");
    await person.type(list.id, `${baseURL}${orderPath(order)}`);
    await person.press(list.find);
    await expect(orderOf(page, texts).reference).toHaveText(order.reference);

    await open("/orders");
    const lines = await linesOf(list.rows);
    await person.press(list.edit);
    await expect(list.forget(order.reference)).toBeVisible();
    expect(await linesOf(list.rows)).toEqual(lines);
    await person.press(list.forget(order.reference));
    await expect(list.dialog).toContainText(texts.order("head.copyLink"));
    await person.press(list.dialog.getByRole("button", { name: texts.order("list.do"), exact: true }));
    await expect(page.getByRole("heading", { name: texts.order("list.emptyTitle") })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: texts.order("list.emptyTitle") })).toBeVisible();
  },
);

test(
  "an order's page polls every five seconds while it is visible, and not while it is hidden",
  { tag: "@desktop" },
  async ({ page, open, texts, api }) => {
    const order = await newOrder(api);
    let polls = 0;
    page.on("request", (request) => (polls += Number(INFO.test(request.url()))));
    await page.clock.install();
    await open(orderPath(order));
    await expect(orderOf(page, texts).pay).toBeVisible();
    const show = (state: "visible" | "hidden") =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, value: visibility });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);

    for (let poll = 1; poll <= 3; poll += 1) {
      const answered = page.waitForResponse(INFO);
      await page.clock.runFor(5_000);
      await answered;
    }
    await show("hidden");
    const before = polls;
    await page.clock.runFor(120_000);
    const answered = page.waitForResponse(INFO);
    await show("visible");
    await answered;
    expect(polls - before).toBe(1);
  },
);
