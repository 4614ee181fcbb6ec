import { devices } from "@playwright/test";

const { defaultBrowserType: _phone, ...PIXEL } = devices["Pixel 7"];
const { defaultBrowserType: _desktop, ...CHROME } = devices["Desktop Chrome"];

/** The two widths of the tests, for a project or `test.use`. */
export const PHONE = {
  ...PIXEL,
  viewport: { width: 390, height: 844 },
  screen: { width: 390, height: 844 },
  // Seven times fewer pixels to draw; the stored pictures are of a phone's own scale.
  deviceScaleFactor: 1,
};
export const DESKTOP = {
  ...CHROME,
  viewport: { width: 1440, height: 900 },
  screen: { width: 1440, height: 900 },
  // People differ in this too; a page without motion takes a tenth less of a processor.
  contextOptions: { reducedMotion: "reduce" },
} as const;
