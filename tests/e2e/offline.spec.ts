import type { CDPSession, Response } from "@playwright/test";
import { expectAccessible } from "../a11y/accessible.ts";
import { untilHydrated } from "../../scripts/bench/web/hydrated.ts";
import {
  expectNoNetwork,
  needsNetwork,
  plainText,
  RECOVERED_MS,
  untilCached,
  untilWorkerControls,
} from "./support/offline.ts";
import { flow } from "./support/flow.ts";
import { newOrder, orderPath, untilOrderSaved } from "./support/orders.ts";
import { calculatorOf, orderOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";
import { LOCALES } from "./support/texts.ts";

test.use({ hasWorker: true });

const ASSET = /\/assets\/|\/icons\/\w+\.svg/;

type Picture = { readonly src: string; readonly type: string };

flow(
  "without a network a saved page shows the offline notice, and recovers by itself",
  async ({ lang, page, context, open, texts, problems }) => {
    await open("/");
    await untilWorkerControls(page);
    await open("/");

    expectNoNetwork(problems);
    await context.setOffline(true);
    // As it is opened from the home screen.
    await page.goto(pathIn(lang, "/?source=pwa"));
    await expect(page.getByText(texts.common("offline.title")).first()).toBeVisible();
    const ratesFrom = new RegExp(texts.common("offline.rates", { time: "\\d\\d:\\d\\d" }));
    await expect(page.getByText(ratesFrom)).toBeVisible();
    await expect(calculatorOf(page, texts).send).toHaveValue(/\d/);
    await expect(calculatorOf(page, texts).proceed).toBeHidden();
    await expectAccessible(page);

    await page.goto(pathIn(lang, "/exchange-eth-usdt-erc20?amount=0.5"));
    await expect(needsNetwork(page, texts)).toBeVisible();
    // The band makes the page higher than the screen: its button stays above the tabs.
    const retry = page.getByRole("button", { name: texts.common("failed.retry"), exact: true });
    const isUncovered = (button: Element) => {
      const { x, bottom } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(x + 30, bottom - 3));
    };
    expect(await retry.evaluate(isUncovered)).toBe(true);
    await expect(page.locator("html")).toHaveAttribute("lang", lang);
    await expectAccessible(page);

    await context.setOffline(false);
    await expect(calculatorOf(page, texts).send).toHaveValue("0.5", { timeout: RECOVERED_MS });
    await expect(page.getByText(texts.common("offline.title")).first()).toBeHidden();
  },
);

test(
  "a page that was opened once opens again without a network, and so do home and the default calculator",
  { tag: "@desktop" },
  async ({ page, context, lang, open, texts, problems }) => {
    const alwaysOffline = ["/", "/exchange-eth-usdt-erc20"].map((path) => pathIn(lang, path));
    await open("/exchange-eth-usdc-erc20?amount=0.5");
    await untilWorkerControls(page);
    await untilCached(page, alwaysOffline);

    expectNoNetwork(problems);
    await context.setOffline(true);
    await page.reload();
    await expect(calculatorOf(page, texts).send).toHaveValue("0.5");
    for (const path of alwaysOffline) {
      await page.goto(path);
      await expect(calculatorOf(page, texts).send).toHaveValue(/\d/);
      await expect(page.getByText(texts.common("offline.title")).first()).toBeVisible();
    }
  },
);

test(
  "without a network an order still shows where to pay, and how old that is",
  { tag: "@phone" },
  async ({ page, context, open, texts, problems, api }) => {
    const order = await newOrder(api);
    await open(orderPath(order));
    await untilOrderSaved(page, order);
    await untilWorkerControls(page);
    await page.reload();
    await untilHydrated(page);
    await expect(orderOf(page, texts).pay).toBeVisible();

    expectNoNetwork(problems);
    await context.setOffline(true);
    await page.reload();
    const age = new RegExp(texts.order("stale.offlineText", { age: "(.+)" }));
    await expect(page.getByText(age)).toBeVisible();
    expect(await plainText(page)).toContain(order.depositAddress);
    await expect(orderOf(page, texts).reference).toHaveText(order.reference);
    await expectAccessible(page);

    await context.setOffline(false);
    await expect(page.getByText(age)).toBeHidden({ timeout: RECOVERED_MS });
    expect(await plainText(page)).toContain(order.depositAddress);
  },
);

test(
  "a visit that began without a network learns what the site is like once the network is back",
  { tag: "@phone" },
  async ({ page, context, open, texts, problems }) => {
    await open("/orders");
    await untilWorkerControls(page);

    expectNoNetwork(problems);
    await context.setOffline(true);
    // As on a device that kept nothing of the site.
    await page.evaluate(() => localStorage.removeItem("site"));
    await page.reload();
    await expect(page.getByText(texts.common("offline.title")).first()).toBeVisible();
    const site = () => page.evaluate(() => localStorage.getItem("site"));
    expect(await site()).toBeNull();

    await context.setOffline(false);
    await expect.poll(site, { timeout: RECOVERED_MS }).toContain("isSandbox");
    await page
      .getByRole("link", { name: texts.common("nav.prices"), exact: true })
      .first()
      .click();
    await expect(page.getByText(texts.prices("madeUp"))).toBeVisible();
  },
);

test(
  "the worker caches only the build and public pages, and answers with them before the network does",
  { tag: "@desktop" },
  async ({ page, context, open, texts, api, problems }) => {
    problems.expect({ url: "/missing", as: 404 });
    await open("/");
    await untilWorkerControls(page);
    const asked: Response[] = [];
    page.on("response", (response) => asked.push(response));
    const network = await watchNetwork(await context.newCDPSession(page));
    const fetched: string[] = [];
    context.on("request", (request) => {
      if (request.serviceWorker() !== null) fetched.push(new URL(request.url()).pathname);
    });
    const path = orderPath(await newOrder(api));
    for (const visited of ["/", path, "/ru/orders", "/ru", "/missing", "/exchange-eth-usdt-erc20"]) await open(visited);
    await open(path);
    await expect(orderOf(page, texts).pay).toBeVisible();
    expect(asked.filter((response) => ASSET.test(response.url())).length).toBeGreaterThan(20);
    expect(network.filter((url) => ASSET.test(url))).toEqual([]);
    expect(fetched.filter((asset) => asset.startsWith("/assets/"))).toEqual([]);
    const calls = () => asked.filter((response) => response.url().includes("/api/"));
    await expect.poll(() => calls().length).toBeGreaterThan(0);
    expect(calls().filter((response) => response.fromServiceWorker())).toEqual([]);

    const cached = await page.evaluate(async () => {
      const caches = await Promise.all((await globalThis.caches.keys()).map((name) => globalThis.caches.open(name)));
      return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname);
    });
    expect(cached).toContain("/shell.html");
    expect(cached.filter((path) => !/^\/(?:assets|icons)\/|^\/shell\.html$/.test(path)).sort()).toEqual([
      "/",
      "/exchange-eth-usdt-erc20",
      "/ru",
    ]);
  },
);

for (const lang of LOCALES) {
  test.describe(`in ${lang}`, { tag: "@phone" }, () => {
    test.use({ lang });

    test("the app can be installed, with its language's texts and pictures", async ({ page, open, context }) => {
      await open("/");
      await untilWorkerControls(page);
      const devtools = await context.newCDPSession(page);
      const { url, errors, data = "" } = await devtools.send("Page.getAppManifest");
      expect([new URL(url).pathname, errors]).toEqual([
        lang === "en" ? "/manifest.webmanifest" : `/manifest.${lang}.webmanifest`,
        [],
      ]);
      const manifest = JSON.parse(data) as { lang: string; icons: Picture[]; screenshots: Picture[] };
      expect(manifest.lang).toBe(lang);
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
      // Chromium counts a window of tests as a private one.
      expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
      for (const { src, type } of [...manifest.icons, ...manifest.screenshots]) {
        const answer = await page.request.get(src);
        expect([src, answer.status(), answer.headers()["content-type"]]).toEqual([src, 200, type]);
      }
    });
  });
}

/** The requests that neither the worker nor the browser's cache answered. */
async function watchNetwork(devtools: CDPSession): Promise<readonly string[]> {
  const fromMemory = new Set<string>();
  const fromNetwork: string[] = [];
  devtools.on("Network.requestServedFromCache", ({ requestId }) => fromMemory.add(requestId));
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    const { url, fromServiceWorker = false, fromDiskCache = false } = response;
    if (!fromServiceWorker && !fromDiskCache && !fromMemory.has(requestId)) fromNetwork.push(url);
  });
  await devtools.send("Network.enable");
  return fromNetwork;
}
