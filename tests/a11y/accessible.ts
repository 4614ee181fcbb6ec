import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Every rule that axe has by default, on the whole page, in both themes; the page is left in the one that it has. */
export async function expectAccessible(page: Page): Promise<void> {
  const isDark = (await page.locator("html").getAttribute("data-theme")) === "dark";
  for (const colorScheme of isDark ? (["light", "dark"] as const) : (["dark", "light"] as const)) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await finishTransitions(page);
    // Without it axe reports through a tab of its own, behind which this page would draw no more frames.
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ["violations"] })
      .analyze();
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${colorScheme} ${id}: ${help}: ${target.join(" ")}\n${failureSummary}`,
      ),
    );
    expect(found).toEqual([]);
  }
}

/** Ends every change of colour that is on its way, and lets no fade of a new rate begin, so that the lasting ones are judged. */
const finishTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(Element.prototype, { animate: undefined });
    for (let round = 0; round < 100; round += 1) {
      const running = document.getAnimations().filter((animation) => !(animation instanceof CSSAnimation));
      if (running.length === 0) return;
      for (const transition of running) transition.finish();
    }
    throw new Error("the page's colours never come to rest");
  });
