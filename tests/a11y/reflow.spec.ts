import { expect, test } from "../e2e/support/test.ts";
import { LOCALES } from "../e2e/support/texts.ts";
import { everyScreen } from "./every-screen.ts";
import { layoutDefects } from "./layout.ts";

/** A desktop of 1280 × 1024 at 400 %. */
test.use({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });

for (const lang of LOCALES) {
  test.describe(`at 400 %, in ${lang}`, { tag: "@desktop" }, () => {
    test.use({ lang, contextOptions: { reducedMotion: "reduce" } });

    test("nothing is cut off, and no bar is pinned over the few lines that fit", async ({
      page,
      open,
      texts,
      problems,
      api,
    }) => {
      const found: string[] = [];
      await everyScreen({ page, open, texts, problems, api }, async (screen) => {
        for (const defect of await layoutDefects(page)) found.push(`${screen}: ${defect}`);
        for (const pinned of await page.evaluate(pinnedParts)) found.push(`${screen}: ${pinned} is pinned`);
      });
      expect(found).toEqual([]);
    });
  });
}

const pinnedParts = (): string[] =>
  [...document.querySelectorAll(".w-frame *:not(dialog)")]
    .filter((part) => part.checkVisibility() && part.getBoundingClientRect().height > 8)
    .filter((part) => /sticky|fixed/.test(getComputedStyle(part).position))
    .map((part) => part.getAttribute("class") ?? part.tagName);
