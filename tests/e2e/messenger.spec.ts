import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { SANDBOX_BOT_TOKEN } from "../../server/config-telegram.ts";
import { launchData } from "../support/launch-data.ts";
import { calculatorOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";

const NIGHT = {
  bg_color: "#17212b",
  text_color: "#f5f5f5",
  hint_color: "#708499",
  link_color: "#6ab3f3",
  button_color: "#5288c1",
  button_text_color: "#ffffff",
  secondary_bg_color: "#232e3c",
  section_bg_color: "#17212b",
  subtitle_text_color: "#708499",
  accent_text_color: "#6ab2f2",
  destructive_text_color: "#ec3942",
};

type Posted = [name: string, data: unknown];

/** A native client of the messenger: takes what the app posts, and can answer by `receiveEvent`. */
class Client {
  readonly posted: Posted[] = [];
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async around(page: Page): Promise<Client> {
    const client = new Client(page);
    await page.exposeFunction("postedToClient", (name: string, data?: string) => {
      client.posted.push([name, JSON.parse(data ?? "null")]);
    });
    await page.addInitScript(() => {
      const told = (window as unknown as { postedToClient(name: string, data: string): void }).postedToClient;
      Object.assign(window, { TelegramWebviewProxy: { postEvent: told } });
    });
    return client;
  }

  of(name: string): unknown[] {
    return this.posted.filter(([posted]) => posted === name).map(([, data]) => data);
  }

  async tell(name: string, data: unknown = null): Promise<void> {
    await this.#page.evaluate(
      ([event, payload]) => {
        const { Telegram } = window as unknown as {
          Telegram: { WebView: { receiveEvent(name: string, data: unknown): void } };
        };
        Telegram.WebView.receiveEvent(event as string, payload);
      },
      [name, data],
    );
  }
}

const initDataOf = (token: string, userId: number) =>
  launchData(token, {
    auth_date: String(Math.floor(Date.now() / 1000)),
    signature: "x",
    user: JSON.stringify({ id: userId, first_name: "Ann", language_code: "en" }),
  });

const hashOf = (initData: string) =>
  `#${new URLSearchParams({
    tgWebAppData: initData,
    tgWebAppVersion: "8.0",
    tgWebAppPlatform: "ios",
    tgWebAppThemeParams: JSON.stringify(NIGHT),
  }).toString()}`;

const ANN = 279_058_397;

test.describe("inside the messenger", { tag: "@phone" }, () => {
  test.beforeEach(({ problems }) => {
    // A user whom the service doesn't know yet is created then (contract §4).
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
  });

  test("a deeplink opens its page, in the messenger's colours, and its user is signed in", async ({ page, lang }) => {
    const client = await Client.around(page);
    const signedIn = page.waitForResponse("**/api/v1/users/account-data");

    await page.goto(
      pathIn(lang, `/?tgWebAppStartParam=ex___eth-usdt-erc20${hashOf(initDataOf(SANDBOX_BOT_TOKEN, ANN))}`),
    );

    await expect(page).toHaveURL(/\/exchange-eth-usdt-erc20#tgWebAppData/);
    expect((await signedIn).status()).toBe(200);
    expect(client.of("web_app_ready")).toHaveLength(1);
    expect(client.of("web_app_set_header_color")).toContainEqual({ color: "#17212b" });
    const style = await page.locator("html").evaluate((root) => ({
      theme: root.dataset["theme"],
      surface: getComputedStyle(root).getPropertyValue("--surface"),
    }));
    expect(style).toEqual({ theme: "dark", surface: "#17212b" });
    // The theme is the messenger's: it doesn't follow the system's, as axe's other check here would have it.
    await page.evaluate(async () => {
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations).toEqual([]);
  });

  test("Back closes a dialog, and isn't there where there is nothing to go back to", async ({ page, words }) => {
    const client = await Client.around(page);
    const shown = () => client.of("web_app_setup_back_button").at(-1);
    await page.goto(`/exchange-eth-usdt-erc20${hashOf(initDataOf(SANDBOX_BOT_TOKEN, ANN))}`);
    await expect.poll(() => client.of("web_app_ready").length).toBe(1);
    await calculatorOf(page, words).sendCoin.click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect.poll(shown).toEqual({ is_visible: true });

    await client.tell("back_button_pressed");

    await expect(page.getByRole("dialog")).toBeHidden();
    await expect.poll(shown).toEqual({ is_visible: false });
  });

  test("a link that leads nowhere opens the first page, and says so once", async ({ page, words, lang }) => {
    await Client.around(page);
    await page.goto(pathIn(lang, `/?tgWebAppStartParam=shop___x${hashOf(initDataOf(SANDBOX_BOT_TOKEN, ANN))}`));

    await expect(page.getByText(words.messenger("unknownLink"))).toBeVisible();
    expect(new URL(page.url()).search).toBe("");
  });

  test("launch data that isn't the messenger's leaves its user a guest, who is told", async ({
    page,
    words,
    problems,
  }) => {
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 400 });
    problems.expectSaid(/the messenger's user could not be signed in/);
    await Client.around(page);
    const refused = page.waitForResponse("**/api/v1/users/telegram/authenticate");
    await page.goto(`/exchange-eth-usdt-erc20${hashOf(initDataOf("1:forged", ANN))}`);

    expect((await refused).status()).toBe(400);
    const dialog = page.getByRole("dialog", { name: words.messenger("signIn.title") });
    await expect(dialog.getByText(words.messenger("signIn.refused"))).toBeVisible();
  });
});

test("outside the messenger its SDK is not fetched", async ({ page, open }) => {
  const scripts: string[] = [];
  page.on("response", async (response) => {
    if (response.request().resourceType() === "script") scripts.push(await response.text());
  });
  await open("/exchange-eth-usdt-erc20");
  await page.waitForLoadState("networkidle");

  expect(scripts.filter((text) => text.includes("web_app_setup_back_button"))).toEqual([]);
  expect(scripts.length).toBeGreaterThan(0);
});
