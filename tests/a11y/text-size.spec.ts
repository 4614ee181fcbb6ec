import type { CDPSession, Page } from "@playwright/test";
import { testEveryScreen } from "./every-screen.ts";
import { layoutDefects } from "./layout.ts";

/** What a reader may set for any page without losing any of it (WCAG 1.4.12). */
const SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }
`;

type Reader = (page: Page, browser: CDPSession) => Promise<unknown>;

/** The size of letters in the browser's settings. */
const withLetters =
  (standard: number): Reader =>
  (_page, browser) =>
    browser.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });

/** In this order: the last sets the size back. */
const READERS: Record<string, Reader> = {
  "24 px letters": withLetters(24),
  "32 px letters": withLetters(32),
  "wider spacing": async (page, browser) => {
    await withLetters(16)(page, browser);
    await page.addStyleTag({ content: SPACING });
  },
};

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

testEveryScreen(
  "no text is cut off or covered where letters are larger or further apart",
  async (page) => {
    const browser = await page.context().newCDPSession(page);
    const found: string[] = [];
    for (const [name, setUp] of Object.entries(READERS)) {
      await setUp(page, browser);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        for (const defect of await layoutDefects(page)) found.push(`with ${name} at ${size.width} px: ${defect}`);
      }
    }
    await browser.detach();
    return found;
  },
  "the other half",
);
