import type { CDPSession, Page } from "@playwright/test";
import { layoutDefects, layoutDefectsAt } from "./layout.ts";

const WIDTHS = [320, 360, 375, 390, 560, 600, 768, 1024, 1280, 1440, 1920];

/** A desktop of 1280 × 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 };

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

/** In this order: the last sets the size back, and its spacing ends with the page. */
const READERS: Record<string, Reader> = {
  "24 px letters": withLetters(24),
  "32 px letters": withLetters(32),
  "wider spacing": async (page, browser) => {
    await withLetters(16)(page, browser);
    await page.addStyleTag({ content: SPACING });
  },
};

const READER_SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** What a screen loses from 320 to 1920 px, at 400 %, and with larger or wider letters. The window keeps its size. */
export async function sizeDefects(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  const defects = [
    ...(await layoutDefectsAt(page, WIDTHS)),
    ...(await zoomDefects(page)),
    ...(await letterDefects(page)),
  ];
  if (size !== null) await page.setViewportSize(size);
  return defects;
}

/** At 400 % no bar is pinned over the few lines that fit. */
async function zoomDefects(page: Page): Promise<string[]> {
  await page.setViewportSize(ZOOMED);
  const defects = [
    ...(await layoutDefects(page)),
    ...(await page.evaluate(pinnedParts)).map((pinned) => `${pinned} is pinned`),
  ];
  return defects.map((defect) => `at 400 %: ${defect}`);
}

/** A toast is there until it is answered. */
const pinnedParts = (): string[] =>
  [...document.querySelectorAll(".w-frame *:not(dialog, .w-frame__toasts)")]
    .filter((part) => part.checkVisibility() && part.getBoundingClientRect().height > 8)
    .filter((part) => /sticky|fixed/.test(getComputedStyle(part).position))
    .map((part) => part.getAttribute("class") ?? part.tagName);

async function letterDefects(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  const found: string[] = [];
  for (const [name, setUp] of Object.entries(READERS)) {
    await setUp(page, browser);
    for (const size of READER_SIZES) {
      await page.setViewportSize(size);
      for (const defect of await layoutDefects(page)) found.push(`with ${name} at ${size.width} px: ${defect}`);
    }
  }
  await browser.detach();
  return found;
}
