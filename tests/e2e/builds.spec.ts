import { rmSync } from "node:fs";
import type { Page, Response } from "@playwright/test";
import { untilHydrated } from "../../scripts/bench/web/hydrated.ts";
import { Api } from "../support/http/api.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import {
  expectNoNetwork,
  needsNetwork,
  plainText,
  RECOVERED_MS,
  untilCached,
  untilWorkerControls,
} from "./support/offline.ts";
import { newOrder, orderPath, untilOrderSaved } from "./support/orders.ts";
import { otherBuild } from "./support/other-build.ts";
import { calculatorOf, destinationOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

test.use({ hasWorker: true });

const PAIR = "/exchange-eth-usdt-erc20";
/** A build is some ninety files. */
const CACHED = { timeout: RECOVERED_MS };
/** The page waits 3 s for its new worker to take control before it reloads, and that worker may take 10 s for it, during which the reload is held. */
const RELOADED = { timeout: 13_000 + 5_000 };
const COINS = { send: "ETH", get: "USDT" };
const ADDRESS = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

const buildOf = (page: Page) => page.locator('meta[name="build"]').getAttribute("content");
const cacheNames = (page: Page) => page.evaluate(() => caches.keys());
const workersOf = (page: Page) =>
  page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ installing, waiting, active }) =>
      [installing, waiting, active].map((worker) => worker?.state ?? "none"),
    ),
  );

test.describe("a server that stops and comes back", { tag: "@desktop" }, () => {
  // Three builds and three starts of a server, which its tests share.
  test.describe.configure({ mode: "default", timeout: 180_000 });
  let server: ServerProcess;
  let next: string;
  let retired: string;

  test.beforeAll(async () => {
    // Two builds at once, beside whatever else the machine does.
    test.setTimeout(300_000);
    [server, next, retired] = await Promise.all([
      ServerProcess.start({ SANDBOX: "on" }),
      otherBuild(),
      otherBuild({ WORKER: "off" }),
    ]);
  });
  test.afterAll(async () => {
    await server.end();
    for (const build of [next, retired]) rmSync(build, { recursive: true, force: true });
  });

  test("leaves its pages readable, offers its next build once, and keeps pages of the last one working", async ({
    page,
    context,
    browser,
    texts,
    problems,
  }) => {
    const order = await newOrder(new Api(server.url));
    const at = (path: string) => server.url + path;
    const toast = (of: Page) => of.locator(".w-toast", { hasText: texts.common("update.title") });
    const resumeLater = async (of: Page) => {
      await of.clock.fastForward(60_000);
      await of.evaluate(() => dispatchEvent(new Event("focus")));
    };
    await context.clock.install();

    // Each page twice: the second visit is the worker's.
    await page.goto(at("/"));
    await untilWorkerControls(page);
    for (const path of ["/", orderPath(order), `${PAIR}?amount=0.5`]) {
      await page.goto(at(path));
      await untilHydrated(page);
      if (path === orderPath(order)) await untilOrderSaved(page, order);
    }
    const first = await buildOf(page);
    const form = await context.newPage();
    await form.goto(at(`${PAIR}?amount=0.7`));
    await untilHydrated(form);
    await calculatorOf(form, texts).proceed.click();
    const { address } = destinationOf(form, texts, COINS);
    await address.fill(ADDRESS);
    const bare = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
    await bare.route("**/api/v1/health", (route) => route.fulfill({ json: { status: "OK" } }));
    await bare.goto(at("/"));
    await untilHydrated(bare);
    await Promise.all([bare.waitForResponse(/\/builds\/latest\.json\?\d+$/), bare.mouse.move(5, 5)]);
    const loads = countLoads({ page, form, bare });

    await test.step("without its server each page shows what is saved", async () => {
      expectNoNetwork(problems);
      expect(await server.term()).toBe(0);
      await page.reload();
      await expect(calculatorOf(page, texts).send).toHaveValue("0.5");
      await page.goto(at("/"));
      await expect(calculatorOf(page, texts).send).toHaveValue(/\d/);
      await page.goto(at(orderPath(order)));
      await expect(page.getByText(texts.order("stale.failed"))).toBeVisible();
      expect(await plainText(page)).toContain(order.depositAddress);
      await page.goto(at("/popular-exchanges"));
      await expect(needsNetwork(page, texts)).toBeVisible();
      expect(await buildOf(page)).toBe(first);
    });

    await test.step("the page notices that it is back", async () => {
      await server.restart({ DIST_DIR: next });
      await expect(needsNetwork(page, texts)).toBeHidden({ timeout: RECOVERED_MS });
      loads.clear();
    });

    await test.step("the next build is offered off the form, and loaded once with what was typed", async () => {
      await resumeLater(form);
      await expect
        .poll(() => form.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null), CACHED)
        .toBe(true);
      await expect(toast(form)).toBeHidden();
      await form.goBack();
      await toast(form)
        .getByRole("button", { name: texts.common("update.reload") })
        .click();
      await expect.poll(() => buildOf(form), RELOADED).not.toBe(first);
      await untilHydrated(form);
      await expect(calculatorOf(form, texts).send).toHaveValue("0.7");
      await calculatorOf(form, texts).proceed.click();
      await expect(address).toHaveValue(ADDRESS);
      await expect.poll(() => cacheNames(form)).toContain(`wherry-build-${await buildOf(form)}`);
      await expect(toast(form)).toBeHidden();
      expect(loads.of("form")).toBe(1);
    });

    await test.step("a page of the last build goes on with its own chunks, which the server no longer has", async () => {
      const chunks: Response[] = [];
      page.on("response", (response) => {
        if (/coin-selector.*\.js$/.test(response.url())) chunks.push(response);
      });
      await page
        .getByRole("navigation")
        .getByRole("link", { name: texts.common("nav.exchange"), exact: true })
        .first()
        .click();
      await calculatorOf(page, texts).sendCoin.click();
      await expect(page.getByRole("dialog")).toBeVisible();
      expect(chunks.map((chunk) => [chunk.status(), chunk.fromServiceWorker()])).toEqual([[200, true]]);
      const asked = await bare.request.get(chunks[0]?.url() ?? "");
      expect([asked.status(), asked.headers()["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
      await page.keyboard.press("Escape");
      await resumeLater(page);
      await expect(toast(page)).toBeVisible();
      expect([await buildOf(page), loads.of("page")]).toEqual([first, 0]);
      expect(await cacheNames(page)).toContain(`wherry-build-${first}`);
    });

    await test.step("a page without unsaved input reloads when its code is missing", async () => {
      await bare
        .getByRole("navigation")
        .getByRole("link", { name: texts.common("nav.popular") })
        .first()
        .click();
      await expect.poll(() => buildOf(bare)).not.toBe(first);
      await expect(bare).toHaveURL(at("/popular-exchanges"));
      await untilHydrated(bare);
      expect(loads.of("bare")).toBe(1);
      await bare.context().close();
    });

    await test.step("the last build's cache is deleted with its last page", async () => {
      await page.goto(at("/"));
      await untilHydrated(page);
      await page.mouse.move(20, 20);
      await expect.poll(() => cacheNames(page)).not.toContain(`wherry-build-${first}`);
    });
  });

  test("removes its worker from every device with the build of the kill switch", async ({ page, problems }) => {
    await page.goto(`${server.url}/`);
    await untilWorkerControls(page);
    // What the worker still fetches while the server drains would be a failed request of its own.
    await untilCached(page, ["/", PAIR]);
    // Nor does a page ask for anything while there is no server: the home page renews its rates by itself.
    await page.goto("about:blank");
    expectNoNetwork(problems);
    expect(await server.term()).toBe(0);
    await server.restart({ DIST_DIR: retired });

    await page.goto(`${server.url}/`);
    await untilHydrated(page);
    await expect.poll(async () => [await workersOf(page), await cacheNames(page)], CACHED).toEqual([[], []]);
  });
});

/** How often each page was loaded. */
function countLoads(pages: Record<string, Page>) {
  const counts = new Map<string, number>();
  for (const [name, page] of Object.entries(pages))
    page.on("load", () => counts.set(name, (counts.get(name) ?? 0) + 1));
  return { of: (name: string) => counts.get(name) ?? 0, clear: () => counts.clear() };
}
