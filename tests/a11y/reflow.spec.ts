import { test } from "../e2e/support/test.ts";
import { testEveryScreen } from "./every-screen.ts";
import { layoutDefects } from "./layout.ts";

/** A desktop of 1280 × 1024 at 400 %. */
test.use({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });

testEveryScreen("at 400 % nothing is cut off, and no bar is pinned over the few lines that fit", async (page) => [
  ...(await layoutDefects(page)),
  ...(await page.evaluate(pinnedParts)).map((pinned) => `${pinned} is pinned`),
]);

/** A toast is there until it is answered. */
const pinnedParts = (): string[] =>
  [...document.querySelectorAll(".w-frame *:not(dialog, .w-frame__toasts)")]
    .filter((part) => part.checkVisibility() && part.getBoundingClientRect().height > 8)
    .filter((part) => /sticky|fixed/.test(getComputedStyle(part).position))
    .map((part) => part.getAttribute("class") ?? part.tagName);
