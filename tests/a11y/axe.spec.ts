import { DAY, NIGHT } from "../../src/telegram/testing/sample-palettes.ts";
import { ANN, Client, initDataOf, launchHash } from "../e2e/support/telegram-client.ts";
import { expect, pathIn, test, visit } from "../e2e/support/test.ts";
import { accessibilityDefects } from "./accessible.ts";
import { defectsOfScreens, SCREEN_NAMES, type Walk } from "./every-screen.ts";
import { inEachView } from "./views.ts";

/** In Telegram those whose buttons are the client's own. */
const IN_TELEGRAM = [
  "home",
  "the list of coins",
  "the popular exchanges",
  "an amount under the minimum",
  "the destination step",
  "no orders",
  "an order that waits for its deposit",
  "orders, edited",
] as const;

test.describe.configure({ timeout: 180_000 });

inEachView((shareOf) => {
  test("axe finds nothing on any screen", async ({ page, open, texts, problems, api }) => {
    const walk = { page, open, texts, problems, api };
    expect(await defectsOfScreens(walk, shareOf(SCREEN_NAMES), accessibilityDefects)).toEqual([]);
  });

  test("axe finds nothing in Telegram", async ({ page, texts, problems, api, lang, colorScheme }) => {
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
    await Client.around(page);
    const theme = colorScheme === "dark" ? NIGHT : DAY;
    const hash = launchHash(initDataOf(ANN), {
      theme,
      platform: page.viewportSize()?.width === 390 ? "ios" : "tdesktop",
    });
    const open: Walk["open"] = async (path) => {
      await visit(page, pathIn(lang, path) + hash);
      await expect(page.locator("html")).toHaveAttribute("data-shell", "telegram");
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme ?? "light");
    };
    const walk = { page, open, texts, problems, api };
    expect(await defectsOfScreens(walk, shareOf(IN_TELEGRAM), accessibilityDefects)).toEqual([]);
  });
});
