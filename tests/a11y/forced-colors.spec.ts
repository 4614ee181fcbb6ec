import { newOrder, orderPath } from "../e2e/support/orders.ts";
import { calculatorOf, orderOf } from "../e2e/support/screens.ts";
import { expect, test } from "../e2e/support/test.ts";

test.use({ contextOptions: { forcedColors: "active" } });

/** Controls that only a background or a shadow marks: neither is left in forced colours. */
const withoutEdge = (controls: Element[]): string[] =>
  controls
    .filter((control) => control.checkVisibility())
    .filter((control) => {
      const { borderTopWidth, outlineStyle, outlineWidth } = getComputedStyle(control);
      return borderTopWidth === "0px" && (outlineStyle === "none" || outlineWidth === "0px");
    })
    .map((control) => control.getAttribute("class") ?? control.tagName);

test("in forced colours controls keep their edges, chosen ones differ, and a code can be scanned", async ({
  page,
  open,
  texts,
  api,
}) => {
  const edgeless = (selector: string) => page.locator(selector).evaluateAll(withoutEdge);
  await open("/exchange-eth-usdt-erc20?amount=0.5");
  expect(
    await edgeless(".w-button, .w-amount-card, .w-coin-pill, .w-segmented, .w-calculator__swap, .w-presets__amount"),
  ).toEqual([]);
  const segments = page.locator(".w-segmented__option");
  const outlines = (state: string) =>
    segments
      .filter({ has: page.locator(`input${state}`) })
      .evaluateAll((options) => [...new Set(options.map((option) => getComputedStyle(option).outlineStyle))]);
  await expect.poll(() => outlines(":checked")).toEqual(["solid"]);
  await expect.poll(() => outlines(":not(:checked)")).toEqual(["none"]);
  expect(await edgeless(".w-header__link[aria-current], .w-tabs__tab[aria-current]")).toEqual([]);

  await calculatorOf(page, texts).getCoin.click();
  await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
  expect(await edgeless("dialog, .w-chip, .w-coin-search__field")).toEqual([]);

  await open(orderPath(await newOrder(api)));
  await expect(orderOf(page, texts).pay).toBeVisible();
  expect(await edgeless(".w-button, .w-field__box, .w-order-card, .w-note, .w-steps__mark")).toEqual([]);
  await expect(page.locator(".w-order-deposit__code")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expect(page.locator(".w-order-deposit__code")).toHaveCSS("forced-color-adjust", "none");
});
