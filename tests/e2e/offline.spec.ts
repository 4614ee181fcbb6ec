import type { Page } from "@playwright/test";
import { expectAccessible } from "../a11y/accessible.ts";
import { Api } from "../support/api.ts";
import { ServerProcess } from "../support/server-process.ts";
import { untilHydrated } from "../../scripts/bench/hydrated.ts";
import type { Problems } from "./support/problems.ts";
import { flow } from "./support/flow.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { calculatorOf, orderOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";
import type { Words } from "./support/words.ts";

const RECOVERED_MS = 30_000;

/** The worker has kept the build and answers this page's requests. */
async function untilKept(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    return navigator.serviceWorker.controller !== null;
  });
}

const needsNetwork = (page: Page, words: Words) =>
  page.getByRole("heading", { level: 1, name: words.common("failed.offlineTitle") });

/** The text of an element without the groups that are for the eye. */
const plainText = async (page: Page): Promise<string> => (await page.getByRole("main").innerText()).replace(/\s/g, "");

function expectNoNetwork(problems: Problems): void {
  problems.expect({ url: /./, as: "failed" });
  problems.expectSaid(/WebSocket connection to \S+ failed/);
}

flow(
  "without a network a kept page says so, and comes back by itself",
  async ({ lang, page, context, open, words, problems }) => {
    await open("/");
    await untilKept(page);
    await page.reload();
    await untilHydrated(page);

    expectNoNetwork(problems);
    await context.setOffline(true);
    await expect(page.getByText(words.common("offline.title"))).toBeVisible();
    for (const path of ["/", "/exchange-eth-usdt-erc20?amount=0.5"]) {
      await page.goto(pathIn(lang, path));
      await expect(needsNetwork(page, words)).toBeVisible();
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
    }
    await expectAccessible(page);

    await context.setOffline(false);
    await expect(calculatorOf(page, words).send).toHaveValue("0.5", { timeout: RECOVERED_MS });
    await expect(page.getByText(words.common("offline.title"))).toBeHidden();
  },
);

test("without a network an order still shows where to pay, and how old that is", async ({
  page,
  context,
  open,
  words,
  problems,
  api,
}) => {
  const order = await newOrder(api);
  await open(orderPath(order));
  await untilKept(page);
  await page.reload();
  await untilHydrated(page);
  await expect(orderOf(page, words).pay).toBeVisible();

  expectNoNetwork(problems);
  await context.setOffline(true);
  await page.reload();
  const age = new RegExp(words.order("stale.offlineText", { age: "(.+)" }));
  await expect(page.getByText(age)).toBeVisible();
  expect(await plainText(page)).toContain(order.depositAddress);
  await expect(orderOf(page, words).reference).toHaveText(order.reference);
  await expectAccessible(page);

  await context.setOffline(false);
  await expect(page.getByText(age)).toBeHidden({ timeout: RECOVERED_MS });
  expect(await plainText(page)).toContain(order.depositAddress);
});

test("the worker keeps the build alone: no answer of the API and no page of an order", async ({
  page,
  open,
  words,
  api,
}) => {
  await open("/");
  await untilKept(page);
  await open(orderPath(await newOrder(api)));
  await expect(orderOf(page, words).pay).toBeVisible();
  const kept = await page.evaluate(async () => {
    const caches = await Promise.all((await globalThis.caches.keys()).map((name) => globalThis.caches.open(name)));
    return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain("/shell.html");
  expect(
    kept.filter((path) => !/^\/(?:assets|icons|fonts)\/|^\/shell\.html$|^\/manifest\.webmanifest$/.test(path)),
  ).toEqual([]);
});

test(
  "a server that stopped is as good as no network, and its return is noticed",
  { tag: "@desktop" },
  async ({ page, words, problems }) => {
    await using server = await ServerProcess.start({ SANDBOX: "on" });
    const order = await newOrder(new Api(server.url));
    const [home, path] = [server.url, server.url + orderPath(order)];
    await page.goto(home);
    await untilKept(page);
    await page.goto(path);
    await expect(orderOf(page, words).pay).toBeVisible();
    await untilHydrated(page);
    // The order is kept by code that comes after the app.
    await page.waitForLoadState("networkidle");
    await page.goto(home);
    await untilHydrated(page);

    expectNoNetwork(problems);
    expect(await server.term()).toBe(0);
    await page.reload();
    await expect(needsNetwork(page, words)).toBeVisible();
    await page.goto(path);
    await expect(page.getByText(words.order("stale.failed"))).toBeVisible();
    expect(await plainText(page)).toContain(order.depositAddress);
    await page.goto(home);
    await expect(needsNetwork(page, words)).toBeVisible();

    await server.restart();
    await expect(calculatorOf(page, words).send).toBeVisible({ timeout: RECOVERED_MS });
  },
);
