import { flow } from "./support/flow.ts";
import { calculatorOf, decimalOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

/** A displayed amount, without its digit groups. */
const SUM = /^\d[\d\s]*(?:\.\d+)?$/;

for (const [path, tag] of [
  ["/", "@phone"],
  ["/exchange-eth-usdt-erc20", "@desktop"],
] as const) {
  test.describe(path, { tag }, () => {
    test("opens with an amount that its pair takes", async ({ page, open, texts }) => {
      await open(path);
      const { root, send, getAbout } = calculatorOf(page, texts);
      await expect(send).toHaveValue(/^0\.\d+$/);
      await expect(getAbout).toHaveValue(SUM);
      await expect(root.locator("[aria-invalid]")).toHaveCount(0);
    });
  });
}

flow("either amount is computed from the other, in either direction", async ({ page, open, person, texts }) => {
  await open("/");
  const { send, getAbout, swap, sendCoin, getCoin } = calculatorOf(page, texts);
  await person.type(send, "0.5");
  await expect(getAbout).toHaveValue(/^1\s\d{3}\./);
  await person.type(getAbout, "1000");
  await expect(send).toHaveValue(/^0\.3\d+$/);

  await person.press(swap);
  await expect(sendCoin).toContainText("USDT");
  await expect(getCoin).toContainText("ETH");
  await expect(send).toHaveValue("1\u202f000");
  await expect(getAbout).toHaveValue(/^0\.3\d+$/);
});

flow("the minimum is named, and set by a press", async ({ page, open, person, texts }) => {
  await open("/exchange-eth-usdt-erc20");
  const { root, send, getAbout, proceed } = calculatorOf(page, texts);
  await person.type(send, "0.0001");
  const fix = root.getByRole("button", { name: new RegExp(texts.exchange("fix.use", { amount: "0\\.\\d+" })) });
  await expect(fix).toBeVisible();
  await expect(send).toHaveAttribute("aria-invalid", "true");
  await expect(send).toHaveValue("0.0001");
  const smallest = decimalOf((await fix.innerText()).replace(/^\D+/, ""));
  await person.press(fix);
  await expect(send).toHaveValue(smallest);
  await expect(send).not.toHaveAttribute("aria-invalid");
  await expect(getAbout).toHaveValue(SUM);
  await expect(proceed).toBeVisible();
});

flow("a coin is searched for and chosen", async ({ page, open, person, texts }) => {
  await open("/");
  const { getCoin, getAbout } = calculatorOf(page, texts);
  await person.press(getCoin);
  const dialog = page.getByRole("dialog", { name: texts.exchange("selector.get") });
  const search = dialog.getByRole("combobox");
  await person.type(search, "dai");
  await expect(dialog.getByRole("option")).toHaveCount(1);
  await person.pick(search, dialog.getByRole("option"));
  await expect(dialog).toBeHidden();
  await expect(getCoin).toContainText("DAI");
  await expect(getCoin).toBeFocused();
  await expect(getAbout).toHaveValue(SUM);

  await person.press(getCoin);
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(getCoin).toBeFocused();
});

test("opens with the default amount where the pair takes it", { tag: "@desktop" }, async ({ page, open, texts }) => {
  await open("/exchange-usdt-erc20-eth");
  await expect(calculatorOf(page, texts).send).toHaveValue("500");
});

test("keeps an amount of the address, and judges it", { tag: "@phone" }, async ({ page, open, texts }) => {
  await open("/exchange-eth-usdt-erc20?amount=0.0001");
  const { send } = calculatorOf(page, texts);
  await expect(send).toHaveValue("0.0001");
  await expect(send).toHaveAttribute("aria-invalid", "true");
});

test(
  "opens with an amount that its pair takes also after a move inside the app",
  { tag: "@desktop" },
  async ({ page, open, texts }) => {
    await open("/exchange-usdt-erc20-eth");
    await page
      .getByRole("link", { name: texts.common("brand.home") })
      .first()
      .click();
    await expect(page).toHaveURL(/\/$/);
    const { send, root } = calculatorOf(page, texts);
    await expect(send).toHaveValue(/^0\.\d+$/);
    await expect(root.locator("[aria-invalid]")).toHaveCount(0);
  },
);
