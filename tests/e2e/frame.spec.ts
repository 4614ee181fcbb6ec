import type { Page } from "@playwright/test";
import { expectAccessible } from "../a11y/accessible.ts";
import { flow } from "./support/flow.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { calculatorOf, orderOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";
import { LOCALES, sentencesOf } from "./support/texts.ts";

const PAIR = "/exchange-eth-usdt-erc20";
const HEALTH = "**/api/v1/health";

const answerHealth = (page: Page, status: string) => page.route(HEALTH, (route) => route.fulfill({ json: { status } }));

test.describe("guards on the server", { tag: "@desktop" }, () => {
  for (const [asked, to] of [
    ["/exchange?cur_from=ETH&cur_to=USDTERC20&ref=r", `${PAIR}?ref=r`],
    ["/ru?cur_from=ETH&cur_to=USDTERC20", `/ru${PAIR}`],
    ["/?cur_from=ETH&cur_to=NOPE", "/"],
    ["/ua/price/?a=1", "/uk/price?a=1"],
  ] as const) {
    test(`${asked} goes to ${to}`, async ({ request }) => {
      const answer = await request.get(asked, { maxRedirects: 0 });
      expect([answer.status(), answer.headers()["location"]]).toEqual([302, to]);
    });
  }

  test("a referral is saved before its address is normalised", async ({ request }) => {
    const answer = await request.get("/ru/?ref=partner", { maxRedirects: 0 });
    expect([answer.status(), answer.headers()["location"]]).toEqual([302, "/ru?ref=partner"]);
    expect(answer.headers()["set-cookie"]).toMatch(/^referralID=partner; Max-Age=86400; Path=\/; SameSite=Lax/);
  });

  test("a crawler gets a missing page's status alone, and a sitemap", async ({ request, baseURL }) => {
    const missing = await request.get("/nothing-here", { headers: { "user-agent": "Googlebot" } });
    expect([missing.status(), await missing.text()]).toEqual([404, ""]);
    expect(await (await request.get("/robots.txt")).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
    expect(await (await request.get("/sitemap.xml")).text()).toContain(`<loc>${baseURL}/sitemaps/exchange.xml</loc>`);
    const sitemap = await (await request.get("/sitemaps/exchange.xml")).text();
    expect(sitemap).toContain(`<loc>${baseURL}/ru${PAIR}</loc>`);
    expect(sitemap).not.toContain("/order");
  });
});

test("guards work inside the app as on the server", { tag: "@phone" }, async ({ page, open, texts, context }) => {
  // Before the page: it asks once, at its first navigation.
  await page.route("**/api/v1/site/redirects", (route) =>
    route.fulfill({ json: [{ from: "/old", to: PAIR, status: 302 }] }),
  );
  await open("/");
  const move = (to: string) => page.evaluate((path) => history.pushState(null, "", path), to);
  await move("/exchange-dai-erc20-usdt-erc20//?amount=20&ref=inside#x");
  await expect(page).toHaveURL(/\/exchange-dai-erc20-usdt-erc20\?amount=20&ref=inside#x$/);
  await expect(page).toHaveTitle(`${texts.exchange("page.title", { fromName: "DAI", toName: "USDT" })} · Wherry`);
  const cookies = await context.cookies();
  expect(cookies.find(({ name }) => name === "referralID")?.value).toBe("inside");
  await move("/exchange?cur_from=ETH&cur_to=USDTERC20&ref=list");
  await expect(page).toHaveURL(`${PAIR}?ref=list`);
  await move("/old?amount=3");
  await expect(page).toHaveURL(`${PAIR}?amount=3`);
  await move("/nothing-here?x=1");
  await expect(page.getByText(texts.common("notFound.message", { path: "/nothing-here?x=1" }))).toBeVisible();
});

flow(
  "an unreachable service shows the outage page, keeps what was typed, and recovers by itself",
  async ({ page, open, person, texts }) => {
    await answerHealth(page, "OK");
    await open(`${PAIR}?amount=0.5`);
    const { send } = calculatorOf(page, texts);
    await person.type(send, "0.75");
    await page.unroute(HEALTH);
    await answerHealth(page, "TECHNICAL_DIFFICULTIES");
    const title = page.getByRole("heading", { level: 1, name: texts.common("down.title") });
    await expect(title).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText(texts.common("down.difficulties"))).toBeVisible();
    await expect(page.getByRole("timer")).toHaveText(new RegExp(texts.common("down.next", { seconds: "\\d" }), "u"));
    await expect(send).toBeHidden();
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await expectAccessible(page);

    const checkNow = page.getByRole("button", { name: texts.common("down.checkNow") });
    await person.reach(checkNow);
    await page.unroute(HEALTH);
    await person.press(checkNow);
    await expect(send).toHaveValue("0.75");
    await expect(title).toBeHidden();
  },
);

for (const lang of LOCALES) {
  test.describe(`in ${lang}`, { tag: lang === "en" ? "@phone" : "@desktop" }, () => {
    test.use({ lang });

    test("the first load holds one language", async ({ page, open }) => {
      const scripts: string[] = [];
      page.on("response", (response) => {
        if (response.url().endsWith(".js")) scripts.push(response.url());
      });
      await open("/");
      const bodies = await Promise.all(scripts.map(async (url) => (await page.request.get(url)).text()));
      expect(bodies.length).toBeGreaterThan(2);
      const loaded = `${bodies.join("\n")}${await page.content()}`;
      expect(sentencesOf(lang).filter((sentence) => loaded.includes(sentence)).length).toBeGreaterThan(50);
      expect(sentencesOf(lang === "en" ? "ru" : "en").filter((sentence) => loaded.includes(sentence))).toEqual([]);
    });
  });
}

test(
  "an order's page stays open while the service is down",
  { tag: "@desktop" },
  async ({ page, open, texts, api }) => {
    await answerHealth(page, "UNHEALTHY");
    await open(orderPath(await newOrder(api)));
    await expect(page.getByText(texts.common("down.band"))).toBeVisible({ timeout: 20_000 });
    await expect(orderOf(page, texts).pay).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  "a notification about a field shows at the field too, is announced once, and waits while it is held",
  {
    tag: "@desktop",
  },
  async ({ page, open, texts, api, problems }) => {
    await page.clock.install();
    problems.expect({ url: "/set-email", as: 422 });
    const order = await newOrder(api);
    await open(orderPath(order));
    const { orderId, destinationAddress } = order;
    await api.call("setEmail", { body: { orderId, destinationAddress, userEmail: "first@example.org" } });
    const field = page.getByLabel(texts.order("updates.label"));
    await field.fill("second@example.org");
    await page.getByRole("button", { name: texts.order("updates.save") }).click();
    const said = texts.order("updates.alreadySet");
    const toast = page.locator(".w-toast", { hasText: said });
    await expect(toast).toBeVisible();
    await expect(field).toHaveAccessibleDescription(new RegExp(said));
    expect(await page.locator("[aria-live], [role=alert], [role=status]").filter({ hasText: said }).count()).toBe(1);
    await toast.getByRole("button", { name: texts.common("notification.close") }).focus();
    await page.clock.fastForward(10_000);
    await expect(toast).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(toast).toBeHidden();
  },
);

test(
  "an error outside production shows its status, message, address and the request's headers",
  { tag: "@desktop" },
  async ({ page, open, texts, problems }) => {
    problems.expect({ url: "/instruments/public", as: 500 });
    await open("/");
    await page.route("**/api/v2/instruments/public?*", (route) =>
      route.fulfill({
        status: 500,
        json: { status: "ERR_INTERNAL_SERVER_ERROR", message: "An internal error", traceId: "t1" },
      }),
    );
    await calculatorOf(page, texts).proceed.click();
    const main = page.getByRole("main");
    await expect(main).toContainText(texts.common("failed.code", { status: 500 }));
    await expect(main).toContainText("An internal error");
    await expect(main).toContainText(texts.common("failed.path", { path: pathIn("en", "/exchange-") }));
    await expect(main).toContainText(texts.common("failed.trace", { traceId: "t1" }));
  },
);
