import { expect, test } from "../e2e/support/test.ts";
import { LOCALES } from "../e2e/support/texts.ts";
import { everyScreen } from "./every-screen.ts";
import { layoutDefects } from "./layout.ts";

const WIDTHS = [320, 360, 375, 390, 560, 768, 1024, 1280, 1440, 1920];

for (const lang of LOCALES) {
  test.describe(`in ${lang}`, { tag: "@desktop" }, () => {
    test.use({ lang, contextOptions: { reducedMotion: "reduce" } });

    test("no screen scrolls sideways or cuts its text off, from 320 to 1920 px", async ({
      page,
      open,
      texts,
      problems,
      api,
    }) => {
      const found: string[] = [];
      await everyScreen({ page, open, texts, problems, api }, async (screen) => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          for (const defect of await layoutDefects(page)) found.push(`${screen} at ${width} px: ${defect}`);
        }
      });
      expect(found).toEqual([]);
    });
  });
}
