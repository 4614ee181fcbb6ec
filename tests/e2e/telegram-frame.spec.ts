import { randomUUID } from "node:crypto";
import { deeplinkUrl } from "#contract/links/deeplink.ts";
import { untilHydrated } from "../../scripts/bench/web/hydrated.ts";
import { SANDBOX_BOT_TOKEN } from "../../server/config/telegram.ts";
import type { Api } from "../support/http/api.ts";
import { eventually } from "../support/eventually.ts";
import { launchData } from "../support/services/launch-data.ts";
import { ANN, initDataOf, launchHash } from "./support/telegram-client.ts";
import { TelegramWebClient } from "./support/telegram-frame.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { destinationOf, orderOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";
import { wholeChromium } from "./support/whole-chromium.ts";

test.use(wholeChromium);

const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

/** Launch data of a launch by a deeplink. */
const launchedBy = (start_param: string): string =>
  launchData(SANDBOX_BOT_TOKEN, {
    auth_date: String(Math.floor(Date.now() / 1000)),
    signature: randomUUID(),
    start_param,
    user: JSON.stringify({ id: ANN, first_name: "Ann" }),
  });

/** A completed order, made without the browser. */
async function finishedOrder(api: Api) {
  const order = await newOrder(api);
  await api.call("sandboxPay", { body: { orderId: order.orderId } });
  const { orderId, destinationAddress } = order;
  return eventually("the order is paid out", async () => {
    const now = await api.call("orderInfo", { query: { orderId, destinationAddress } });
    return now.status === "WITHDRAWAL_COMPLETED" ? now : null;
  });
}

test.describe("in the frame of Telegram's web client", { tag: "@phone" }, () => {
  test.beforeEach(({ problems }) => {
    // A user whom the service doesn't know yet is created then (contract §4).
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
    // What the frame denies, and what Chromium says of a local page without TLS in it.
    problems.expectSaid(/no service worker here|saved orders can't be/);
    problems.expectSaid(/^console warning: Mixed Content/);
  });

  test("without storage and cookies, its user is signed in, scans, shares, confirms and logs out", async ({
    page,
    lang,
    texts,
    api,
    baseURL,
  }) => {
    const finished = finishedOrder(api);
    const client = await TelegramWebClient.around(page, {
      web_app_open_scan_qr_popup: { eventType: "qr_text_received", eventData: { data: `ethereum:${ADDRESS}` } },
      web_app_check_home_screen: { eventType: "home_screen_checked", eventData: { status: "missed" } },
    });
    const launch = (parameter: string) =>
      client.open(
        baseURL + pathIn(lang, `/?tgWebAppStartParam=${parameter}`) + launchHash(initDataOf(ANN), { platform: "ios" }),
      );
    const account = page.waitForResponse("**/api/v1/users/account-data");

    const app = await launch("ex___eth-usdt-erc20");

    await expect.poll(() => client.of("web_app_ready")).toHaveLength(1);
    await expect.poll(() => client.of("iframe_ready")).toEqual([{ reload_supported: true }]);
    const called = await account;
    expect(called.status()).toBe(200);
    expect(called.request().headers()).not.toHaveProperty("cookie");
    expect(called.request().headers()["authorization"]).toMatch(/^Bearer \S+$/);
    expect(new URL(app.url()).pathname).toBe(pathIn(lang, "/exchange-eth-usdt-erc20"));
    const saved = await app.evaluate(() => {
      document.cookie = "saved=1; samesite=none; secure";
      try {
        return [document.cookie, localStorage.length];
      } catch (error) {
        return [document.cookie, (error as Error).name];
      }
    });
    expect(saved).toEqual(["", "SecurityError"]);

    await test.step("an address is scanned by the client, and no paste button is shown where the clipboard is denied", async () => {
      await app.getByRole("link", { name: texts.exchange("calculator.continue"), exact: true }).click();
      const step = destinationOf(app, texts, { send: "ETH", get: "USDT" });
      await expect(step.title).toBeVisible();
      await expect(step.paste).toBeHidden();
      await app.getByRole("button", { name: texts.exchange("destination.scan") }).click();
      await expect(step.address).toHaveValue(ADDRESS);
      await expect
        .poll(() => client.of("web_app_open_scan_qr_popup"))
        .toEqual([{ text: texts.exchange("scan.looking") }]);
      await expect.poll(() => client.of("web_app_close_scan_qr_popup")).toHaveLength(1);
    });

    await test.step("an order opened by its deeplink is shared, and the app added to the home screen", async () => {
      const order = await finished;
      const link = deeplinkUrl(orderPath(order), "https://t.me/wherry_bot") ?? "";
      const parameter = new URL(link).searchParams.get("startapp") ?? "";
      const receipt = await launch(parameter);
      await untilHydrated(receipt);
      await expect(orderOf(receipt, texts).delivered).toBeVisible();
      await receipt.getByRole("button", { name: texts.order("receipt.share") }).click();
      await expect.poll(() => client.of("web_app_open_tg_link")).toHaveLength(1);
      const { path_full } = client.of("web_app_open_tg_link")[0] as { path_full: string };
      const shared = new URL(path_full, "https://t.me");
      expect(shared.pathname).toBe("/share/url");
      expect(shared.searchParams.get("url")).toBe(baseURL + pathIn(lang, orderPath(order)));
      expect(shared.searchParams.get("text")).toBe(texts.order("page.title", { reference: order.reference }));

      await receipt.getByRole("button", { name: texts.order("receipt.homeScreen") }).click();
      await expect.poll(() => client.of("web_app_add_to_home_screen")).toHaveLength(1);
      // No other page was opened, and the app was not left.
      expect(page.context().pages()).toHaveLength(1);
    });

    await test.step("the settings open in a popup, and logging out closes the app", async () => {
      const closedBy = (button_id: string) => ({ eventType: "popup_closed", eventData: { button_id } });
      const openSettings = () => client.say("settings_button_pressed");
      client.answers["web_app_open_popup"] = closedBy("cancel");
      // They say who is signed in at the moment when they are opened.
      await expect(async () => {
        await openSettings();
        await expect
          .poll(() => client.of("web_app_open_popup").at(-1), { timeout: 1_000 })
          .toMatchObject({ title: texts.telegram("settings.title"), message: texts.telegram("settings.signedIn") });
      }).toPass({ timeout: 15_000 });
      client.answers["web_app_open_popup"] = closedBy("log-out");
      const loggedOut = page.waitForResponse("**/api/v1/users/authentication/logout");
      await openSettings();
      expect((await loggedOut).status()).toBe(200);
      await expect.poll(() => client.of("web_app_close")).toHaveLength(1);
    });
  });

  test("a reload inside it restores the launch, and does not follow its deeplink again", async ({
    page,
    lang,
    texts,
    baseURL,
  }) => {
    const client = await TelegramWebClient.around(page);
    const hash = launchHash(launchedBy("ex___eth-usdc-erc20"));
    const app = await client.open(baseURL + pathIn(lang, "/") + hash);
    await expect.poll(() => new URL(app.url()).pathname).toBe(pathIn(lang, "/exchange-eth-usdc-erc20"));
    // The last event of a launch: the page is ready then.
    await expect.poll(() => client.of("web_app_setup_settings_button")).toHaveLength(1);
    await app
      .getByRole("navigation")
      .getByRole("link", { name: texts.common("nav.orders"), exact: true })
      .click();
    await expect.poll(() => new URL(app.url()).pathname).toBe(pathIn(lang, "/orders"));

    const signedIn = page.waitForResponse("**/api/v1/users/account-data");
    await client.say("reload_iframe");

    expect((await signedIn).status()).toBe(200);
    expect(new URL(app.url()).pathname).toBe(pathIn(lang, "/orders"));
  });
});

test("no other site may frame the app", { tag: "@desktop" }, async ({ page, problems, baseURL }) => {
  problems.expectSaid(/frame-ancestors/);
  // The browser asks the other site for its icon too.
  problems.expect({ url: /^(http:\/\/localhost|chrome-error|https:\/\/evil\.example\/favicon\.ico)/, as: "failed" });
  await page.context().grantPermissions(["local-network-access"], { origin: "https://evil.example" });
  await page.route("https://evil.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<iframe src="${baseURL}/"></iframe>` }),
  );
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto("https://evil.example/");
  expect((await refused).text()).toContain("https://web.telegram.org");
  expect(page.frames().filter((frame) => frame.url().startsWith(baseURL ?? ""))).toEqual([]);
});
