import { newEmail, register, signIn } from "../e2e/support/accounts.ts";
import { newOrder, orderBelowMinimum, orderPath, orderWithEndedRate } from "../e2e/support/orders.ts";
import { expect, pathIn, test } from "../e2e/support/test.ts";
import { LOCALES } from "../e2e/support/texts.ts";
import { faultsOf } from "./valid-html.ts";

/** Every other page is one of the sitemap (tests/e2e/crawl.spec.ts). */
const PAGES = [
  "/exchange-eth-usdt-erc20?amount=0.0001",
  "/exchange-eth-usdt-erc20?amount=0.5&mode=fixed&step=destination",
  "/orders",
  "/order/pending",
  "/stop-refund",
  "/nothing-here",
];

/** Of whoever is signed in. */
const OWN_PAGES = [
  "",
  "/info",
  "/keys",
  "/wallet",
  "/history",
  "/cashback",
  "/withdraw",
  "/affiliate-program",
  "/verification",
].map((page) => `/profile${page}`);

for (const lang of LOCALES) {
  test(`every page that no sitemap lists is valid HTML in ${lang}`, { tag: "@desktop" }, async ({ request, api }) => {
    const orders = [await newOrder(api), await orderBelowMinimum(api), await orderWithEndedRate(api)];
    const faults: string[] = [];
    for (const path of [...PAGES, ...orders.map(orderPath), "/sandbox", "/shell.html"]) {
      const html = await (
        await request.get(path.includes(".") || path === "/sandbox" ? path : pathIn(lang, path))
      ).text();
      faults.push(...(await faultsOf(html)).map((fault) => `${path}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  test(
    `every page of the profile is valid HTML in ${lang}, as it is sent and as it is read`,
    { tag: "@desktop" },
    async ({ page }) => {
      const email = newEmail();
      await register(page.request, email);
      await signIn(page, email);
      const faults: string[] = [];
      for (const path of OWN_PAGES) {
        const sent = await (await page.request.get(pathIn(lang, path))).text();
        await page.goto(pathIn(lang, path));
        await expect(page.locator("main h1")).toBeVisible();
        await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
        const markup = [sent, `<!DOCTYPE html>${await page.evaluate(() => document.documentElement.outerHTML)}`];
        for (const html of markup) faults.push(...(await faultsOf(html)).map((fault) => `${path}: ${fault}`));
      }
      expect(faults).toEqual([]);
    },
  );
}

test("the icon that browsers ask for by themselves is there", { tag: "@desktop" }, async ({ request }) => {
  const answer = await request.get("/favicon.ico");
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/vnd.microsoft.icon"]);
});
