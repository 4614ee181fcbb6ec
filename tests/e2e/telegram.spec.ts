import type { Page, Response } from "@playwright/test";
import { expectReadable } from "../a11y/accessible.ts";
import { ANN, Client, initDataOf, launchHash } from "./support/telegram-client.ts";
import { watchLoads } from "./support/loads.ts";
import { newOrder, orderPath, untilOrderSaved } from "./support/orders.ts";
import { delayScripts } from "./support/slow-network.ts";
import { calculatorOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";

test.describe("inside Telegram", { tag: "@phone" }, () => {
  test.beforeEach(({ problems }) => {
    // A user whom the service doesn't know yet is created then (contract §4).
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
  });

  test("a deeplink opens its page, in Telegram's colours, and its user is signed in", async ({ page, lang }) => {
    const client = await Client.around(page);
    const signedIn = page.waitForResponse("**/api/v1/users/account-data");

    await page.goto(pathIn(lang, `/?tgWebAppStartParam=ex___eth-usdt-erc20${launchHash(initDataOf(ANN))}`));

    await expect(page).toHaveURL(/\/exchange-eth-usdt-erc20#tgWebAppData/);
    expect((await signedIn).status()).toBe(200);
    await expect.poll(() => client.of("web_app_ready")).toHaveLength(1);
    await expect.poll(() => client.of("web_app_set_header_color")).toContainEqual({ color: "#17212b" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    const style = await page.locator("html").evaluate((root) => ({
      theme: root.dataset["theme"],
      surface: getComputedStyle(root).getPropertyValue("--surface"),
    }));
    expect(style).toEqual({ theme: "dark", surface: "#17212b" });
    await expectReadable(page);
  });

  test("Back closes a dialog, a phone's sheet up to 1023 px, and is hidden where there is nothing to go back to", async ({
    page,
    texts,
  }) => {
    const client = await Client.around(page);
    const backButton = () => client.of("web_app_setup_back_button").at(-1);
    await page.goto(`/exchange-eth-usdt-erc20${launchHash(initDataOf(ANN))}`);
    await expect.poll(() => client.of("web_app_ready").length).toBe(1);
    await calculatorOf(page, texts).sendCoin.click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect.poll(backButton).toEqual({ is_visible: true });

    await client.emit("back_button_pressed");

    await expect(page.getByRole("dialog")).toBeHidden();
    await expect.poll(backButton).toEqual({ is_visible: false });

    // A tablet's width has a phone's layout too, with the tabs that stand in for our header.
    await page.setViewportSize({ width: 1023, height: 700 });
    const tabs = page.getByRole("navigation", { name: texts.common("nav.tabs") });
    await expect(tabs).toBeVisible();
    await calculatorOf(page, texts).sendCoin.click();
    await expect(page.getByRole("dialog")).toHaveCSS("width", "1023px");
    await page.setViewportSize({ width: 1024, height: 700 });
    await expect(page.getByRole("dialog")).toHaveCSS("width", "480px");
    await expect(tabs.getByRole("link", { name: texts.common("nav.orders") })).toBeInViewport();
  });

  test("its home page is the calculator, this device's open orders and the rates", async ({ page, texts, api }) => {
    const order = await newOrder(api);
    await Client.around(page);
    await page.goto(orderPath(order) + launchHash(initDataOf(ANN)));
    await untilOrderSaved(page, order);
    await page.goto(`/${launchHash(initDataOf(ANN))}`);
    await expect(calculatorOf(page, texts).proceed).toBeVisible();
    const open = page.getByRole("region", { name: texts.order("list.title") });
    await expect(open.getByRole("link")).toHaveAttribute("href", orderPath(order));
    const headings = await page.getByRole("heading", { level: 2 }).filter({ visible: true }).allTextContents();
    expect(headings).toEqual([texts.order("list.title"), texts.home("rates.title")]);
    await expectReadable(page);
    await calculatorOf(page, texts).proceed.click();
    await expect(
      page.getByRole("heading", { name: texts.exchange("destination.title", { ticker: "USDT" }) }),
    ).toBeVisible();
    await expect(open, "the step before an order has nothing but that order").toBeHidden();
  });

  test("a notification never lies over the page's button, wherever that stands", async ({ page, texts }) => {
    await Client.around(page);
    await page.goto(`/?tgWebAppStartParam=shop___x${launchHash(initDataOf(ANN))}`);
    const toast = page.locator(".w-toast", { hasText: texts.telegram("unknownLink") });
    await expect(toast).toBeVisible();
    // Pinned to the lower edge on a low screen, and ever further above it on higher ones.
    for (let height = 560; height <= 860; height += 30) {
      await page.setViewportSize({ width: 390, height });
      await expect(async () => {
        const [said, button] = [await toast.boundingBox(), await calculatorOf(page, texts).proceed.boundingBox()];
        if (said === null || button === null) throw new Error("one of them is not in the page");
        const isClear = said.y + said.height <= button.y || button.y + button.height <= said.y;
        expect(isClear, `on a screen ${height} px high`).toBe(true);
      }).toPass({ timeout: 2_000, intervals: [50] });
    }
  });

  test("an unknown deeplink opens the home page with one notice", async ({ page, texts, lang }) => {
    await Client.around(page);
    await page.goto(pathIn(lang, `/?tgWebAppStartParam=shop___x${launchHash(initDataOf(ANN))}`));

    await expect(page.getByText(texts.telegram("unknownLink"))).toBeVisible();
    expect(new URL(page.url()).search).toBe("");
  });

  test("with launch data that Telegram didn't sign the user stays a guest, who continues by the client's buttons", async ({
    page,
    texts,
    problems,
  }) => {
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 400 });
    problems.expectSaid(/the Telegram user could not be signed in/);
    const client = await Client.around(page);
    const text = (name: string) => {
      const button = client.last(`web_app_setup_${name}_button`) as { text?: string; is_visible: boolean } | null;
      return button?.is_visible === true ? button.text : undefined;
    };
    const refused = page.waitForResponse("**/api/v1/users/telegram/authenticate");
    const step = "/exchange-eth-usdt-erc20?amount=0.5&step=destination";
    await page.goto(step + launchHash(initDataOf(ANN, "1:forged")));

    expect((await refused).status()).toBe(400);
    const dialog = page.getByRole("dialog", { name: texts.telegram("signIn.title") });
    await expect(dialog.getByText(texts.telegram("signIn.refused"))).toBeVisible();
    await expectReadable(page);
    await expect.poll(() => text("main")).toBe(texts.telegram("signIn.retry"));
    await expect.poll(() => text("secondary")).toBe(texts.telegram("signIn.continue"));
    await expect(dialog.getByRole("button", { name: texts.telegram("signIn.continue") })).toBeHidden();
    const again = page.waitForResponse("**/api/v1/users/telegram/authenticate");
    await client.emit("main_button_pressed");
    expect((await again).status()).toBe(400);
    await expect(dialog.getByText(texts.telegram("signIn.refused"))).toBeVisible();
    await client.emit("secondary_button_pressed");
    await expect(dialog).toBeHidden();
    await expect.poll(() => text("main")).toBe(texts.exchange("destination.createFor", { amount: "0.5\u00A0ETH" }));
    await expect.poll(() => text("secondary")).toBeUndefined();

    // A link began here: Back leads to what the step belongs to.
    await client.emit("back_button_pressed");
    await expect(calculatorOf(page, texts).proceed).toBeVisible();
    expect(page.url()).toMatch(/\/exchange-eth-usdt-erc20\?amount=0\.5$/);
    await expect.poll(() => client.last("web_app_setup_back_button")).toEqual({ is_visible: false });
  });

  test("a link that is followed before the app has started preserves the launch", async ({ page, texts }) => {
    const release = await delayScripts(page);
    const client = await Client.around(page);
    await page.goto(`/exchange-eth-usdt-erc20${launchHash(initDataOf(ANN))}`, { waitUntil: "commit" });
    await page
      .getByRole("navigation")
      .getByRole("link", { name: texts.common("nav.orders"), exact: true })
      .click({ noWaitAfter: true });
    await page.waitForURL("/orders", { waitUntil: "commit" });
    expect(client.posted).toEqual([]);
    const signedIn = page.waitForResponse("**/api/v1/users/account-data");
    release();

    expect((await signedIn).status()).toBe(200);
    await expect.poll(() => client.of("web_app_ready")).toHaveLength(1);
  });
});

test("outside Telegram its SDK is not fetched", { tag: "@desktop" }, async ({ page, context, open, problems }) => {
  const NEEDLE = "web_app_setup_back_button";
  const loads = watchLoads(page);
  const endReading = readScripts(page);
  await open("/exchange-eth-usdt-erc20");
  await loads.untilRest();
  expect((await endReading()).filter((text) => text.includes(NEEDLE))).toEqual([]);

  // Inside Telegram the same page has what was looked for.
  problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
  const inside = await context.newPage();
  const client = await Client.around(inside);
  const endReadingInside = readScripts(inside);
  await inside.goto(`/exchange-eth-usdt-erc20${launchHash(initDataOf(ANN))}`);
  await expect.poll(() => client.of("web_app_ready")).toHaveLength(1);
  expect((await endReadingInside()).some((text) => text.includes(NEEDLE))).toBe(true);
});

/** Reads a page's scripts as they come; what is returned ends that and gives them. */
function readScripts(page: Page): () => Promise<string[]> {
  const reading: Promise<string>[] = [];
  const read = (response: Response) => {
    if (response.request().resourceType() === "script") reading.push(response.text());
  };
  page.on("response", read);
  return () => {
    // What is fetched beforehand after that would be read beyond the test's end.
    page.off("response", read);
    return Promise.all(reading);
  };
}

test(
  "a link that pretends to be a launch opens the website, with its sign-in",
  { tag: "@desktop" },
  async ({ page, open, texts, lang, problems }) => {
    problems.expectSaid(/the Telegram client can't be reached/);
    await page.goto(pathIn(lang, "/orders?tgWebAppPlatform=web#tgWebAppData=x&tgWebAppVersion=8.0"));
    await expect(page).toHaveURL(pathIn(lang, "/orders"));
    await expect(page.locator("html")).toHaveAttribute("data-shell", "web");
    await open("/profile/info");
    await expect(page.getByRole("dialog", { name: texts.account("login.title") })).toBeVisible();
  },
);
