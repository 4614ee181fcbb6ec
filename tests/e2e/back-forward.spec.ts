import { requireChromium } from "../../scripts/lib/chromium.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { orderOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

test.use({
  launchOptions: async ({ launchOptions }, give) =>
    give({
      ...launchOptions,
      executablePath: requireChromium(),
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    }),
});

test(
  "an order's page that comes back from the back-forward cache polls at once",
  { tag: "@desktop" },
  async ({ page, open, texts, api }) => {
    const order = await newOrder(api);
    // no-store also keeps a page out of Chromium's back-forward cache, though not out of every browser's.
    await page.route("**/order/*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "cache-control": "no-cache" } });
    });
    await open(orderPath(order));
    await expect(orderOf(page, texts).pay).toBeVisible();
    await page.evaluate(() => {
      addEventListener("pageshow", ({ persisted }) => Object.assign(globalThis, { cameBack: persisted }));
    });
    await page.goto("/robots.txt");
    const polled = page.waitForResponse(/\/api\/v1\/orders\/public-info\?/, { timeout: 4_000 });
    await page.goBack({ waitUntil: "commit" });
    await polled;
    expect(await page.evaluate(() => (globalThis as { cameBack?: boolean }).cameBack)).toBe(true);
    await expect(orderOf(page, texts).pay).toBeVisible();
  },
);
