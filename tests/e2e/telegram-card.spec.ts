import { randomInt } from "node:crypto";
import { expectReadable } from "../a11y/accessible.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { newEmail, register, signIn } from "./support/accounts.ts";
import { cardFormOf, cardWindowsOf, payAtProvider } from "./support/card.ts";
import { orderOf } from "./support/screens.ts";
import { untilSettled } from "./support/settled.ts";
import { Client, initDataOf, launchHash } from "./support/telegram-client.ts";
import { expect, test } from "./support/test.ts";

test.describe("inside Telegram", { tag: "@phone" }, () => {
  test("a purchase by card leaves by the client's own link, and the way back leads to the order", async ({
    page,
    texts,
    request,
    context,
    baseURL,
  }) => {
    const { order: t } = texts;
    const userId = randomInt(1, 1_000_000_000);
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    const linked = await page.request.post("/api/v1/users/local/link-telegram", {
      data: { initData: initDataOf(userId) },
      headers: { origin: baseURL ?? "" },
    });
    expect(linked.status()).toBe(200);
    await context.clearCookies();

    const client = await Client.around(page);
    const main = () => client.last("web_app_setup_main_button");
    const signedIn = page.waitForResponse("**/api/v1/users/account-data");
    await page.goto(`/exchange-usd-usdt-erc20?amount=100&step=destination${launchHash(initDataOf(userId))}`);
    expect((await signedIn).status()).toBe(200);
    const form = cardFormOf(page, texts);
    const windows = cardWindowsOf(page, texts);
    const destination = randomAddress();
    await form.address.fill(destination);
    await form.termsBuy.check();
    await expect
      .poll(main)
      .toMatchObject({ is_active: true, text: texts.exchange("destination.createFor", { amount: "100\u00a0USD" }) });
    const shells: unknown[] = [];
    await page.route("**/orders/public/create", (route) => {
      shells.push((route.request().postDataJSON() as { shell?: unknown }).shell);
      return route.continue();
    });
    await client.emit("main_button_pressed");
    await expect(windows.payment).toBeVisible();
    // By this the provider's page leads back into the mini-app.
    expect(shells).toEqual(["telegram"]);
    await expectReadable(page);
    await expect.poll(main).toMatchObject({ is_visible: true, is_active: true, text: t("card.buy.open") });
    await client.emit("main_button_pressed");
    await expect.poll(() => client.of("web_app_open_link")).toHaveLength(1);
    const { url } = client.of("web_app_open_link")[0] as { url: string };
    expect(context.pages()).toHaveLength(1);

    const browser = await context.newPage();
    await browser.goto(url);
    await payAtProvider(browser);
    await browser.close();
    const orderId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.goto("about:blank");
    await page.goto(`/?tgWebAppStartParam=order___${orderId}___${destination}${launchHash(initDataOf(userId))}`);
    await untilSettled(page, orderOf(page, texts).sentToYou);
  });
});
