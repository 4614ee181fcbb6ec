import { expectAccessible } from "../a11y/accessible.ts";
import { watchLoads } from "./support/loads.ts";
import { expectNoNetwork } from "./support/offline.ts";
import { expect, pathIn, test } from "./support/test.ts";

test(
  "a coin is found by its name, sorted and opened",
  { tag: "@phone" },
  async ({ page, open, texts: { prices }, lang, baseURL }) => {
    await open("/price");
    await expect(page.getByRole("heading", { level: 1, name: prices("list.title") })).toBeVisible();
    const rows = page.getByRole("table").getByRole("row");
    await page.getByRole("searchbox", { name: prices("list.search") }).fill("ETHEREUM");
    await expect(rows).toHaveCount(2);
    await page.getByRole("searchbox", { name: prices("list.search") }).fill("no such coin");
    await expect(page.getByText(prices("list.none"))).toBeVisible();
    await page.getByRole("searchbox", { name: prices("list.search") }).fill("");
    await page.getByRole("button", { name: prices("list.price"), exact: true }).click();
    await expect(page.getByRole("columnheader", { name: prices("list.price") })).toHaveAttribute(
      "aria-sort",
      "descending",
    );
    await expect(rows.nth(1)).toContainText("Bitcoin");
    await expectAccessible(page);
    await rows.filter({ hasText: "Ethereum" }).getByRole("link", { name: "Ethereum" }).click();
    await expect(page).toHaveURL(baseURL + pathIn(lang, "/price/eth"));
    await expect(
      page.getByRole("heading", { level: 1, name: prices("coin.title", { name: "Ethereum" }) }),
    ).toBeVisible();
  },
);

test(
  "a chart is read by keyboard, by pointer and as a table, over each period",
  { tag: "@desktop" },
  async ({ page, open, texts: { prices } }) => {
    await open("/price/eth");
    const chart = page.getByRole("slider", { name: prices("chart.point", { ticker: "ETH" }) });
    await expect(chart.locator("svg")).toBeVisible();
    const last = (await chart.getAttribute("aria-valuetext")) ?? "";
    await chart.focus();
    await expect(chart.locator("canvas").first()).toBeVisible();
    await page.keyboard.press("ArrowLeft");
    await expect(chart).not.toHaveAttribute("aria-valuetext", last);
    await page.keyboard.press("Home");
    await expect(chart).toHaveAttribute("aria-valuenow", "0");
    await page.keyboard.press("End");
    await expect(chart).toHaveAttribute("aria-valuetext", last);

    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart is not on the page");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await expect(chart).not.toHaveAttribute("aria-valuetext", last);

    await page.getByText(prices("chart.table")).click();
    await expect(page.getByRole("columnheader", { name: prices("chart.time") })).toBeVisible();
    for (const range of ["24h", "1m", "1y", "all"] as const) {
      await page.getByRole("radio", { name: prices(`chart.ranges.${range}`), exact: true }).check();
      await expect(chart.locator("canvas").first()).toBeVisible();
    }
    await expectAccessible(page);
  },
);

test(
  "touch moves the cursor of the chart, and it stays",
  { tag: "@phone" },
  async ({ page, open, texts: { prices } }) => {
    await open("/price/eth");
    const chart = page.getByRole("slider", { name: prices("chart.point", { ticker: "ETH" }) });
    const canvas = chart.locator("canvas").first();
    // The first touch of the page brings the drawing that follows a finger.
    await page.getByRole("heading", { level: 1 }).tap();
    await expect(canvas).toBeVisible();
    const last = (await chart.getAttribute("aria-valuetext")) ?? "";
    const box = await canvas.boundingBox();
    if (box === null) throw new Error("the chart is not on the page");
    await page.touchscreen.tap(box.x + box.width / 3, box.y + box.height / 2);
    await expect(chart).not.toHaveAttribute("aria-valuetext", last);
  },
);

test(
  "a coin's page follows the socket in both currencies, beside its calculator, and shows the offline notice",
  { tag: "@phone" },
  async ({ page, open, context, problems, texts: { prices, exchange } }) => {
    await page.routeWebSocket(/\/api\/v2\/ws$/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        const { data, ...rest } = JSON.parse(String(message)) as { data: object };
        socket.send(JSON.stringify({ ...rest, data: { ...data, marketLeftPrice: "4321.5" } }));
      });
    });
    await open("/price/eth");
    await expect(page.locator(".w-coin-page__price")).toContainText("$4\u202F321.50");
    await page
      .getByRole("complementary")
      .getByRole("heading", { name: prices("coin.exchange", { ticker: "ETH" }), exact: true })
      .scrollIntoViewIfNeeded();
    const calculator = page.getByRole("region", { name: exchange("calculator.label") });
    await expect(calculator).toContainText("ETH");
    const next = page.getByRole("link", { name: exchange("calculator.continue") });
    await expect(next).toHaveAttribute("href", /\/exchange-eth-[^?]+\?.*step=destination/);
    const chart = page.getByRole("slider", { name: prices("chart.point", { ticker: "ETH" }) });
    await page.getByRole("radio", { name: "USDT", exact: true }).check();
    await expect(chart).toHaveAttribute("aria-valuetext", /USDT/);
    await page.getByRole("radio", { name: "EUR", exact: true }).check();
    await expect(chart).toHaveAttribute("aria-valuetext", /EUR/);
    await page.getByText(prices("questions.limits", { ticker: "ETH" })).click();
    await expectAccessible(page);

    expectNoNetwork(problems);
    await context.setOffline(true);
    await expect(page.getByText(prices("coin.staleText"))).toBeVisible();
    await page.getByRole("radio", { name: prices("chart.ranges.1y"), exact: true }).check();
    await expect(page.getByText(prices("chart.unreachable"))).toBeVisible();
    await expect(page.getByRole("button", { name: prices("chart.retry") })).toBeVisible();
    await context.setOffline(false);
    // It loads again by itself, so its button may be gone before it could be pressed.
    await expect(chart).toBeVisible();
    await expect(page.getByText(prices("coin.staleText"))).toBeHidden();
  },
);

test(
  "a pair's page shows the pair's facts, and draws its chart once it is in view",
  { tag: "@desktop" },
  async ({ page, open, texts: { pair } }) => {
    await open("/exchange-eth-usdt-erc20");
    const tickers = { from: "ETH", to: "USDT" };
    await expect(page.getByRole("heading", { level: 2, name: pair("facts.title", tickers) })).toBeVisible();
    await page.getByRole("heading", { level: 2, name: pair("chart.title", tickers) }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("main").locator("canvas").first()).toBeVisible();
    const question = page.getByText(pair("questions.fees", tickers));
    await question.click();
    await expect(page.getByText(/0\.\d+%/).first()).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  "a coin that is not traded is not found",
  { tag: "@desktop" },
  async ({ open, page, problems, texts: { common } }) => {
    problems.expect({ url: /\/price\/nothing$/, as: 404 });
    await open("/price/nothing");
    await expect(page.getByRole("heading", { level: 1, name: common("notFound.title") })).toBeVisible();
  },
);

test(
  "the words and the chart of a price page come with no other page",
  { tag: "@phone" },
  async ({ page, open, texts: { prices } }) => {
    const WORDS = prices("coin.staleText");
    const loads = watchLoads(page);
    const ofCharts = () => loads.urls.filter((url) => /\/assets\/(?:price|price-chart)-[\w-]{8}\.js$/.test(url));
    await open("/");
    await loads.untilRest();
    expect(ofCharts()).toEqual([]);
    expect(await page.content()).not.toContain(WORDS);

    // What was looked for is what a price page has.
    await open("/price/eth");
    const chart = page.getByRole("slider", { name: prices("chart.point", { ticker: "ETH" }) });
    await chart.focus();
    await expect(chart.locator("canvas").first()).toBeVisible();
    expect(ofCharts()).toHaveLength(2);
    expect(await page.content()).toContain(WORDS);
  },
);
