import type { Locator, Page } from "@playwright/test";
import { cardFormOf } from "./support/card.ts";
import { keepProcessing, newOrder, orderPath } from "./support/orders.ts";
import { calculatorOf, destinationOf, orderOf } from "./support/screens.ts";
import { muteSocket } from "./support/slow-network.ts";
import { expect, test } from "./support/test.ts";

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it is not in the page");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test.describe("on a desktop", { tag: "@desktop" }, () => {
  test("an order's button is part of the card that says how it stands", async ({ page, open, texts, api }) => {
    await open(orderPath(await newOrder(api)));
    await expect(page.locator(".w-order__pay")).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    const processing = await keepProcessing(page);
    await orderOf(page, texts).pay.click();
    const share = page.getByRole("button", { name: texts.order("head.share") });
    await expect(share).toBeVisible({ timeout: 30_000 });
    const button = await boxOf(share);
    const card = await boxOf(page.locator(".w-order__state"));
    expect([button.x > card.x, button.right < card.right, button.bottom < card.bottom]).toEqual([true, true, true]);
    await processing.letGoOn();
  });

  test("the destination step stands beside its calculator on a wide screen too", async ({ page, open, texts }) => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await open("/exchange-eth-xrp?amount=0.5&mode=fixed&step=destination");
    const calculator = await boxOf(calculatorOf(page, texts).root);
    const step = await boxOf(destinationOf(page, texts, { send: "ETH", get: "XRP" }).title);
    expect(step.x - calculator.right).toBeLessThanOrEqual(96);
    expect(Math.abs(calculator.x - (1920 - (step.x + 472)))).toBeLessThan(2);
  });

  test("the sign-in link is at the end of the header, apart from the pages", async ({ page, open, texts }) => {
    await open("/");
    const header = page.getByRole("banner");
    const signIn = await boxOf(header.getByRole("link", { name: texts.common("nav.signIn"), exact: true }));
    const calculator = await boxOf(calculatorOf(page, texts).root);
    expect(Math.abs(signIn.right - calculator.right)).toBeLessThan(1);
  });

  test("the header leads from the calculator to buying by card, and back", async ({ page, open, texts }) => {
    await open("/");
    const header = page.getByRole("banner");
    const { kind } = cardFormOf(page, texts);
    await header.getByRole("link", { name: texts.common("nav.buySell"), exact: true }).click();
    await expect(kind("buy")).toBeChecked();
    await header.getByRole("link", { name: texts.common("nav.exchange"), exact: true }).click();
    await expect(kind("exchange")).toBeChecked();
  });

  test("a pair's page has its words and even amounts at the left of the calculator", async ({ page, open, texts }) => {
    await open("/exchange-eth-usdt-erc20?amount=0.5");
    const calculator = await boxOf(calculatorOf(page, texts).root);
    const title = await boxOf(page.getByRole("heading", { level: 1 }));
    expect([title.right < calculator.x, title.y < calculator.bottom]).toEqual([true, true]);
    const widths = await page
      .locator(".w-presets__amount")
      .evaluateAll((presets) => presets.map((preset) => Math.round(preset.getBoundingClientRect().width)));
    expect(new Set(widths).size).toBe(1);
  });
});

test.describe("on a phone", { tag: "@phone" }, () => {
  test("touch targets are at least 44 px high", async ({ page, open, texts }) => {
    await open("/");
    const { fixed, floating, swap, sendCoin, proceed } = calculatorOf(page, texts);
    for (const control of [fixed, floating, swap, sendCoin, proceed])
      expect((await boxOf(control)).height).toBeGreaterThanOrEqual(44);
  });

  test.describe("of 320 px", () => {
    test.use({ viewport: { width: 320, height: 640 } });

    test("a coin's network is shown whole", async ({ page, open }) => {
      await open("/");
      await expect(page.locator(".w-coin-pill__network").first()).toBeVisible();
      const cut = await page
        .locator(".w-coin-pill__network")
        .evaluateAll((networks) =>
          networks.filter((name) => name.scrollWidth > name.clientWidth || name.clientHeight > 16),
        );
      expect(cut).toEqual([]);
    });
  });

  test.describe("of 320 px, in Russian", () => {
    test.use({ viewport: { width: 320, height: 640 }, lang: "ru" });

    test("the button beside a rate that failed keeps its word whole", async ({
      page,
      open,
      person,
      texts,
      problems,
    }) => {
      problems.expect({ url: /\/api\//, as: "failed" });
      await muteSocket(page);
      await open("/exchange-eth-usdt-erc20?amount=0.5");
      await page.route("**/api/**", (route) => route.abort());
      const { root, send } = calculatorOf(page, texts);
      await person.type(send, "0.75");
      await expect(root.getByText(texts.exchange("blocker.rateFailed"))).toBeVisible({ timeout: 20_000 });
      const label = root.locator(".w-rate-card--bare button .w-button__label");
      const lines = await label.evaluate((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return range.getClientRects().length;
      });
      expect(lines).toBe(1);
    });
  });

  test.describe("of 320 px, in Russian, with letters as far apart as a reader may set them", () => {
    test.use({ viewport: { width: 320, height: 640 }, lang: "ru", bypassCSP: true });

    test("an order's link doesn't lie over its reference", async ({ page, open, texts, api }) => {
      await open(orderPath(await newOrder(api)));
      await page.addStyleTag({ content: "* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }" });
      const reference = await boxOf(orderOf(page, texts).reference);
      const link = await boxOf(page.getByRole("button", { name: texts.order("head.copyLink") }));
      expect(reference.bottom <= link.y || reference.right <= link.x).toBe(true);
    });
  });

  test.describe("of 390 px, in Russian", () => {
    test.use({ viewport: { width: 390, height: 844 }, lang: "ru" });

    test("each side of the calculator has its label in one line, beside the circle between them", async ({
      page,
      open,
    }) => {
      await open("/exchange-eth-usdt-erc20?amount=0.5");
      const lines = await page
        .locator(".w-amount-card__label")
        .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height));
      expect(lines).toEqual([18, 18]);
      const label = await boxOf(page.locator(".w-amount-card__label").last());
      const icon = await boxOf(page.locator(".w-calculator__swap svg"));
      expect(label.right).toBeLessThan(icon.x);
    });
  });

  test("a step's button stands at the lower edge, however short its page is", async ({ page, open, api }) => {
    const height = 2_200;
    await page.setViewportSize({ width: 390, height });
    const step = "/exchange-eth-usdt-erc20?amount=0.5&step=destination";
    for (const path of [step, "/order/pending", "/stop-refund", orderPath(await newOrder(api))]) {
      await open(path);
      expect((await boxOf(page.locator(".w-bottom-bar"))).bottom, path).toBe(height);
    }
  });

  test("a field of several lines has one ring, while it is written in", async ({ page, open, texts }) => {
    const ringsAround = (field: Locator) =>
      field.evaluate((element) => {
        let rings = 0;
        for (let box: Element | null = element; box !== null; box = box.parentElement) {
          const { outlineStyle, boxShadow } = getComputedStyle(box);
          if (outlineStyle !== "none" || boxShadow !== "none") rings += 1;
          if (box.matches(".w-field")) break;
        }
        return rings;
      });
    await open("/support");
    const message = page.locator("#contact-message");
    expect(await ringsAround(message)).toBe(0);
    await message.focus();
    await page.keyboard.type("a");
    expect(await ringsAround(message)).toBe(1);
    await open("/docs/api");
    const call = page.locator(".w-reference__try", { has: page.locator("textarea") }).first();
    await call.locator("summary", { hasText: texts.api("try.open") }).click();
    await call.locator("textarea").focus();
    await page.keyboard.type(" ");
    expect(await ringsAround(call.locator("textarea"))).toBe(1);
  });

  test("a message's button stands above the tabs", async ({ page, open, texts, problems }) => {
    problems.expect({ url: /nothing-here/, as: 404 });
    for (const height of [640, 740, 844]) {
      await page.setViewportSize({ width: 390, height });
      await open("/nothing-here");
      const button = page.getByRole("link", { name: texts.common("notFound.exchange") });
      await button.scrollIntoViewIfNeeded();
      const tabs = await boxOf(page.getByRole("navigation", { name: texts.common("nav.tabs") }));
      expect((await boxOf(button)).bottom).toBeLessThanOrEqual(tabs.y);
    }
  });
});

const turn = (page: Page, state: "online" | "offline") =>
  page.evaluate((now) => {
    Object.defineProperty(navigator, "onLine", { configurable: true, value: now === "online" });
    dispatchEvent(new Event(now));
  }, state);

test("the offline notice comes and goes while the page stands still", async ({ page, open, texts }) => {
  await open("/exchange-eth-usdt-erc20");
  const title = page.getByText(texts.common("offline.title")).first();
  const { send } = calculatorOf(page, texts);
  const { y } = await boxOf(send);
  await turn(page, "offline");
  await expect(title).toBeInViewport({ ratio: 1 });
  expect((await boxOf(send)).y).toBe(y);
  await page.mouse.wheel(0, -500);
  await expect.poll(async () => (await boxOf(send)).y, "the whole page can be reached").toBeGreaterThan(y);
  await expect(title).toBeInViewport({ ratio: 1 });
  await page.mouse.wheel(0, 400);
  await expect.poll(async () => (await boxOf(send)).y).toBeLessThan(y);
  const scrolled = (await boxOf(send)).y;
  await turn(page, "online");
  await expect(title).toBeHidden();
  expect((await boxOf(send)).y).toBe(scrolled);
});

test(
  "a page that ends on the screen stands still for the offline notice too",
  { tag: "@desktop" },
  async ({ page, open, texts }) => {
    await page.setViewportSize({ width: 1440, height: 6_000 });
    await open("/exchange-eth-usdt-erc20");
    const title = page.getByText(texts.common("offline.title")).first();
    const places = async () => {
      const shown = [calculatorOf(page, texts).send, page.getByRole("contentinfo")];
      return Promise.all(shown.map(async (one) => (await boxOf(one)).y));
    };
    const before = await places();
    await turn(page, "offline");
    await expect(title).toBeInViewport({ ratio: 1 });
    expect(await places()).toEqual(before);
    await turn(page, "online");
    await expect(title).toBeHidden();
    expect(await places()).toEqual(before);
    expect(await page.evaluate(() => document.documentElement.scrollHeight), "nothing is left of the room").toBe(6_000);

    await turn(page, "offline");
    await page.mouse.wheel(0, -500);
    await expect.poll(async () => (await places())[0], "the whole page can be reached").toBeGreaterThan(before[0] ?? 0);
    await expect(title).toBeInViewport({ ratio: 1 });
  },
);
