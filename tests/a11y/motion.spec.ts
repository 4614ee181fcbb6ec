import type { Page } from "@playwright/test";
import { calculatorOf, destinationOf } from "../e2e/support/screens.ts";
import { expect, test } from "../e2e/support/test.ts";

/** The longest transition that is left with reduced motion. */
const LONGEST_MS = 120;

/** Records in every frame what moves, and how long each movement takes. */
const watchMotion = (page: Page) =>
  page.addInitScript(() => {
    const seen: Record<string, number> = {};
    Object.assign(globalThis, { seenMotion: seen });
    const observe = () => {
      for (const animation of document.getAnimations()) {
        const timing = animation.effect?.getComputedTiming();
        const target = animation.effect instanceof KeyframeEffect ? animation.effect.target?.className : "";
        const name = animation instanceof CSSAnimation ? animation.animationName : "transition";
        seen[`${name} of ${String(target)}`] = Number(timing?.activeDuration);
      }
      requestAnimationFrame(observe);
    };
    requestAnimationFrame(observe);
  });

const longMotions = (page: Page) =>
  page.evaluate((longest) => {
    const seen = (globalThis as unknown as { seenMotion: Record<string, number> }).seenMotion;
    return Object.entries(seen).filter(([, ms]) => ms > longest);
  }, LONGEST_MS);

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test.describe(`with ${reducedMotion}`, { tag: "@phone" }, () => {
    test.use({ contextOptions: { reducedMotion } });

    test("sheets, ticks, switches and what is waited for", async ({ page, open, person, texts }) => {
      await watchMotion(page);
      await page.route("**/validate-address", () => undefined);
      await open("/exchange-eth-usdt-erc20?amount=0.5");
      const calculator = calculatorOf(page, texts);
      await person.press(calculator.getCoin);
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await person.choose(calculator.fixed);
      await person.press(calculator.swap);
      await person.press(calculator.proceed);
      const step = destinationOf(page, texts, { send: "USDT", get: "ETH" });
      await person.type(step.address, "0x52908400098527886E0F7030069857D2E4169EE7");
      await expect(page.getByRole("status").getByText(texts.exchange("destination.checking"))).toBeAttached();
      await person.tick(step.terms);
      // The other case shows that movements are recorded.
      if (reducedMotion === "reduce") expect(await longMotions(page)).toEqual([]);
      else expect((await longMotions(page)).length).toBeGreaterThan(1);
    });
  });
}
