import type { Page } from "@playwright/test";
import { expectReadable } from "../a11y/accessible.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { untilSettled } from "./support/settled.ts";
import { DAY, NIGHT } from "../../src/telegram/testing/sample-palettes.ts";
import { ANN, Client, HOSTILE, initDataOf, launchHash, type Theme } from "./support/telegram-client.ts";
import { balanceOf } from "./support/payout.ts";
import { calculatorOf, destinationOf, orderOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";

const COINS = { send: "ETH", get: "USDT" };
const IMPACT = { type: "impact", impact_style: "light" };
const notification = (notification_type: "success" | "error") => ({ type: "notification", notification_type });

/** What a phone's client says of its screen: a notch, a home bar, and its own controls over both. */
const SCREEN = {
  web_app_request_viewport: ["viewport_changed", { height: 844, width: 390, is_expanded: true, is_state_stable: true }],
  web_app_request_safe_area: ["safe_area_changed", { top: 20, right: 0, bottom: 30, left: 0 }],
  web_app_request_content_safe_area: ["content_safe_area_changed", { top: 26, right: 0, bottom: 4, left: 0 }],
} as const;

const around = (page: Page, theme: Theme) =>
  Client.around(page, {
    answers: {
      ...Object.fromEntries(Object.entries(SCREEN).map(([asked, [name, data]]) => [asked, [name, data]])),
      web_app_request_theme: ["theme_changed", { theme_params: theme }],
      web_app_request_write_access: ["write_access_requested", { status: "allowed" }],
    },
  });

const main = (client: Client) => client.last("web_app_setup_main_button");
const mainButton = (text: string): unknown =>
  expect.objectContaining({ is_visible: true, is_active: true, is_progress_visible: false, text });
const hidden: unknown = expect.objectContaining({ is_visible: false });

const WALKS = [
  ["en", "day", DAY, NIGHT],
  ["ru", "night", NIGHT, DAY],
] as const;

for (const [lang, name, theme, other] of WALKS)
  test.describe(`inside Telegram, in ${lang} by ${name}`, { tag: "@phone" }, () => {
    test.use({ lang });

    test("a swap from a deeplink to its receipt, by the client's own buttons", async ({
      page,
      texts,
      problems,
      api,
      chain,
    }) => {
      test.slow();
      problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
      const client = await around(page, theme);
      const haptics = () => client.of("web_app_trigger_haptic_feedback");
      await page.goto(
        pathIn(lang, `/?tgWebAppStartParam=ex___eth-usdt-erc20${launchHash(initDataOf(ANN), { theme })}`),
      );

      const calculator = calculatorOf(page, texts);
      await expect(calculator.getAbout).toHaveValue(/\d/);
      await expect.poll(() => client.last("web_app_setup_swipe_behavior")).toEqual({ allow_vertical_swipe: true });
      await expect.poll(() => client.of("web_app_expand")).toHaveLength(1);
      const posted = {
        web_app_setup_closing_behavior: { need_confirmation: false },
        web_app_setup_back_button: { is_visible: false },
        web_app_setup_secondary_button: hidden,
        web_app_setup_main_button: hidden,
        web_app_set_header_color: { color: theme["section_bg_color"] },
        web_app_set_background_color: { color: theme["secondary_bg_color"] },
        web_app_set_bottom_bar_color: { color: theme["bottom_bar_bg_color"] },
      };
      for (const [method, data] of Object.entries(posted)) await expect.poll(() => client.last(method)).toEqual(data);
      await expect(page.locator("html")).toHaveCSS("--shell-height", "844px");
      await expect(page.locator("html")).toHaveCSS("--inset-top", "46px");
      await expect(page.getByRole("banner")).toBeHidden();
      const tabs = page.getByRole("navigation", { name: texts.common("nav.tabs") });
      await expect(tabs).toHaveCSS("padding-bottom", "34px");
      await expectReadable(page);

      await calculator.sendCoin.tap();
      await expect.poll(() => client.last("web_app_setup_swipe_behavior")).toEqual({ allow_vertical_swipe: false });
      await expect.poll(() => client.last("web_app_setup_back_button")).toEqual({ is_visible: true });
      await expectReadable(page);
      await client.emit("back_button_pressed");
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect.poll(() => client.last("web_app_setup_swipe_behavior")).toEqual({ allow_vertical_swipe: true });

      await calculator.swap.tap();
      await expect.poll(haptics).toEqual([IMPACT]);
      await expect(calculator.sendCoin).toContainText("USDT");
      // The new pair's own rate: until it is there, the button is about to wait for it, and ignores a tap.
      await expect(page.getByText(/^1\sUSDT\s≈/).first()).toBeVisible();
      await expect(calculator.swap).toHaveAttribute("aria-disabled", "false");
      await calculator.swap.tap();
      await expect(calculator.sendCoin).toContainText("ETH");
      await calculator.send.fill("0.5");
      await expect(calculator.getAbout).toHaveValue(/^1\s\d{3}/);
      await calculator.proceed.tap();

      const step = destinationOf(page, texts, COINS);
      await expect(step.title).toBeVisible();
      const create = texts.exchange("destination.createFor", { amount: "0.5\u00A0ETH" });
      await expect.poll(() => main(client)).toEqual(mainButton(create));
      await expect.poll(() => client.last("web_app_setup_back_button")).toEqual({ is_visible: true });
      await expect(step.create).toBeHidden();
      await client.emit("main_button_pressed");
      await expect(step.address).toBeFocused();
      await expect(page.getByText(texts.exchange("destination.attention", { count: 2 }))).toBeVisible();
      await expect.poll(() => haptics().at(-1)).toEqual(notification("error"));
      expect(client.last("web_app_setup_closing_behavior")).toEqual({ need_confirmation: false });
      await expectReadable(page);

      const destination = randomAddress();
      await step.address.fill(destination);
      await expect.poll(() => client.last("web_app_setup_closing_behavior")).toEqual({ need_confirmation: true });
      await step.terms.tap();
      await expect.poll(() => main(client)).toEqual(mainButton(create));
      await client.emit("main_button_pressed");

      const order = orderOf(page, texts);
      await expect(order.pay).toBeVisible();
      const creating = texts.exchange("destination.creating");
      await expect
        .poll(() => client.of("web_app_setup_main_button"))
        .toContainEqual(
          expect.objectContaining({ is_visible: true, is_active: false, is_progress_visible: true, text: creating }),
        );
      // No client opens a payment link: the code and the copy buttons are the way.
      await expect.poll(() => main(client)).toMatchObject({ is_visible: false });
      await expect.poll(() => client.last("web_app_setup_closing_behavior")).toEqual({ need_confirmation: false });
      await page.getByRole("button", { name: texts.order("address.copy") }).tap();
      await expect.poll(() => haptics().at(-1)).toEqual(IMPACT);
      await expectReadable(page);

      // Who came by a link has not let the bot write to them.
      const allow = page.getByRole("button", { name: texts.notifications("bot.allow") });
      await expect(page.getByText(texts.notifications("bot.open"))).toBeVisible();
      expect(client.of("web_app_request_write_access")).toEqual([]);
      await allow.tap();
      await expect(page.getByText(texts.notifications("bot.allowed"))).toBeVisible();
      await expect(allow).toBeHidden();
      expect(client.of("web_app_request_write_access")).toHaveLength(1);
      await expectReadable(page);

      await order.pay.tap();
      await untilSettled(page, order.sentToYou);
      expect(await balanceOf({ api, chain }, "usdt-erc20", destination)).toMatch(/^1\d{3}\.?\d*$/);
      await expect.poll(() => haptics().at(-1)).toEqual(notification("success"));
      await expect.poll(() => main(client)).toEqual(mainButton(texts.order("receipt.again")));
      await expectReadable(page);

      await client.emit("theme_changed", { theme_params: other });
      await expect.poll(() => client.last("web_app_set_header_color")).toEqual({ color: other["section_bg_color"] });
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme === DAY ? "dark" : "light");
      await client.emit("theme_changed", { theme_params: HOSTILE });
      await expect.poll(() => client.last("web_app_set_header_color")).toEqual({ color: "#808080" });
      await expectReadable(page);

      await client.emit("back_button_pressed");
      await expect(calculator.root).toBeVisible();
      await expect.poll(() => client.last("web_app_setup_back_button")).toEqual({ is_visible: false });
      await expect.poll(() => main(client)).toEqual(hidden);
    });
  });
