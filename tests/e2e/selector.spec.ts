import type { Locator, Page } from "@playwright/test";
import { manyInstruments, pairsOf } from "../../scripts/bench/web/many-instruments.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import type { Api } from "../support/http/api.ts";
import { calculatorOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

const MANY = 2_000;

/** The next page that loads the catalogue gets a big one. */
async function offerMany(page: Page, api: Api): Promise<void> {
  const real = await api.call("instruments", { query: {} });
  const all = manyInstruments(real, MANY);
  await page.route("**/api/v2/instruments/public*", (route) => route.fulfill({ json: all }));
  await page.route("**/api/v2/pairs/public*", (route) => route.fulfill({ json: pairsOf(real, all) }));
}

/** The option that the search points at, as a screen reader finds it. */
async function activeOption(page: Page, search: Locator): Promise<Locator> {
  await expect(search).toHaveAttribute("aria-activedescendant", /./);
  return page.locator(`[id="${await search.getAttribute("aria-activedescendant")}"]`);
}

test(
  "two thousand coins are browsed by keys, and the active one is always visible",
  { tag: "@desktop" },
  async ({ page, open, texts, api }) => {
    await open("/orders");
    await offerMany(page, api);
    await page
      .getByRole("link", { name: texts.common("brand.home") })
      .first()
      .click();
    const { getCoin } = calculatorOf(page, texts);
    await getCoin.click();
    const dialog = page.getByRole("dialog", { name: texts.exchange("selector.get") });
    const search = dialog.getByRole("combobox");
    await expect(search).toBeFocused();
    const options = dialog.getByRole("option");
    const walk = async (key: string, position: number) => {
      await page.keyboard.press(key);
      const active = await activeOption(page, search);
      await expect(active).toHaveAttribute("aria-posinset", String(position));
      await expect(active).toBeInViewport({ ratio: 1 });
      await expect(active).toHaveAttribute("aria-setsize", String(MANY));
      expect(await options.count()).toBeLessThan(60);
    };
    await walk("End", MANY);
    await walk("ArrowDown", 1);
    await walk("ArrowUp", MANY);
    await walk("PageUp", MANY - 8);
    await walk("Home", 1);
    await walk("PageDown", 9);
    for (let position = 10; position < 22; position += 1) await walk("ArrowDown", position);

    await page.keyboard.type("0xaaaaaaaaaaaa");
    await expect(await activeOption(page, search)).toHaveAttribute("aria-posinset", "1");
    await search.fill("goe96 sol");
    await expect(options).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(getCoin).toContainText("GOE96");
    await expect(getCoin).toBeFocused();
  },
);

for (const [lang, colorScheme, tag] of [
  ["en", "light", "@phone"],
  ["ru", "dark", "@desktop"],
] as const) {
  test.describe(`in ${lang}, ${colorScheme}`, { tag }, () => {
    test.use({ lang, colorScheme });

    test("the list keeps recent coins, narrows to a network, and has a tab of cards", async ({
      page,
      open,
      person,
      texts,
    }) => {
      await open("/exchange-eth-usdt-erc20?amount=0.5");
      const { exchange: t } = texts;
      const { getCoin } = calculatorOf(page, texts);
      const dialog = page.getByRole("dialog", { name: t("selector.get") });
      const search = dialog.getByRole("combobox");
      await person.press(getCoin);
      await expect(dialog.getByRole("heading", { name: t("selector.recent") })).toHaveCount(0);
      await person.type(search, "dai");
      await person.pick(search, dialog.getByRole("option"));
      await expect(getCoin).toContainText("DAI");

      await page.reload();
      await person.press(getCoin);
      await expect(dialog.getByRole("list", { name: t("selector.recent") }).getByRole("button")).toHaveText([/^DAI/]);

      await person.press(dialog.getByRole("button", { name: t("selector.allNetworks") }));
      await person.press(dialog.getByRole("button", { name: "Tron", exact: true }));
      await expect(
        dialog.getByRole("heading", { name: t("selector.foundOn", { count: 2, network: "Tron" }) }),
      ).toBeVisible();
      await person.press(dialog.getByRole("button", { name: t("selector.allNetworks") }));

      await expect(dialog.getByText(t("selector.fiat"))).toBeVisible();
      if (tag === "@phone") await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(getCoin).toBeFocused();
    });
  });
}

test(
  "on a phone the sheet closes on a long drag, and snaps back on a short one",
  { tag: "@phone" },
  async ({ page, open, person, texts }) => {
    await open("/exchange-eth-usdt-erc20?amount=0.5");
    const { getCoin } = calculatorOf(page, texts);
    const dialog = page.getByRole("dialog", { name: texts.exchange("selector.get") });
    await person.press(getCoin);
    await expect(dialog).toBeVisible();
    const finger = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: y === undefined ? [] : [{ x: 190, y }] });
    // Held for so long that it is slow on any machine.
    const drag = async (px: number) => {
      const held = await page.evaluate(() => performance.now());
      await touch("touchStart", 40);
      for (const part of [0.25, 0.5, 0.75, 1]) await touch("touchMove", 40 + px * part);
      await page.waitForFunction((since) => performance.now() - since > 500, held);
      await touch("touchEnd");
    };
    await expect.poll(() => dialog.evaluate((element) => element.getBoundingClientRect().top)).toBe(14);
    await drag(60);
    await expect.poll(() => dialog.evaluate((element) => element.getBoundingClientRect().top)).toBe(14);
    await expect(dialog).toBeVisible();
    await drag(300);
    await expect(dialog).toBeHidden();
    await expect(getCoin).toBeFocused();
  },
);
