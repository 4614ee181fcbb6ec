import type { Page } from "@playwright/test";
import { DAY, NIGHT } from "../../src/telegram/testing/sample-palettes.ts";
import { ANN, Client, initDataOf, launchHash } from "../e2e/support/telegram-client.ts";
import { expect, pathIn, test, visit } from "../e2e/support/test.ts";
import { accessibilityDefects } from "./accessible.ts";
import { defectsOfScreens, SCREEN_NAMES, type Walk } from "./every-screen.ts";
import { sizeDefects } from "./sizes.ts";
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

/** Of about equal length, so that none outlasts the others. */
const DESKTOP_WALKS = [0, 1, 2];

/** Coming to a screen costs more than measuring it. */
const desktopDefects = async (page: Page): Promise<string[]> => [
  ...(await accessibilityDefects(page)),
  ...(await sizeDefects(page)),
];

inEachView((shareOf, width) => {
  if (width === "phone")
    test("axe finds nothing on any screen", async ({ page, open, texts, problems, api }) => {
      const walk = { page, open, texts, problems, api };
      expect(await defectsOfScreens(walk, shareOf(SCREEN_NAMES), accessibilityDefects)).toEqual([]);
    });
  else
    for (const part of DESKTOP_WALKS)
      test(`axe finds nothing on any screen, and none is cut off, covered or scrolled sideways: from 320 to 1920 px, at 400 %, with larger or wider letters (${part + 1} of ${DESKTOP_WALKS.length})`, async ({
        page,
        open,
        texts,
        problems,
        api,
      }) => {
        const walk = { page, open, texts, problems, api };
        const names = shareOf(SCREEN_NAMES).filter((_, at) => at % DESKTOP_WALKS.length === part);
        expect(await defectsOfScreens(walk, names, desktopDefects)).toEqual([]);
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
