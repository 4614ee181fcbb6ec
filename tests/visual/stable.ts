import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const require = createRequire(import.meta.url);
const LATIN = require.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2");
const CYRILLIC = require.resolve("@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2");
const dataOf = (font: string): string => `data:font/woff2;base64,${readFileSync(font).toString("base64")}`;

/**
 * The machine's own fonts differ from one machine to the next: these screens are drawn with one that lies in the repository. Parts that
 * depend on what others did on the server before are left out: the latest exchanges, figures, and the claim about the median time.
 */
const PINNED_FONT = `
  @font-face { font-family: Pinned; font-weight: 100 900; src: url(${dataOf(LATIN)}); unicode-range: U+0000-024F, U+2000-22FF; }
  @font-face { font-family: Pinned; font-weight: 100 900; src: url(${dataOf(CYRILLIC)}); unicode-range: U+0400-04FF; }
  :root { --font: Pinned !important; --mono: Pinned !important; }
  ::-webkit-scrollbar, .w-latest, .w-stats, .w-hero__point:nth-last-child(4) { display: none; }`;

/**
 * Makes a page look the same in every run: one font, every digit a zero, every address and reference an `x` for each sign. What is
 * rendered later is treated in the same way.
 */
export async function makeStable(page: Page): Promise<void> {
  // What is hydrated last must still find the server's texts.
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main :is(h1, h2, section)")].every((part) =>
      Object.keys(part).some((key) => key.startsWith("__reactProps")),
    ),
  );
  await page.addStyleTag({ content: PINNED_FONT });
  await page.evaluate(async () => {
    const stable = (text: string): string =>
      text
        .replaceAll(/\b(?:0x)?[A-Za-z0-9]*\d[A-Za-z0-9]*(?:…[A-Za-z0-9]+)?\b/g, (word) =>
          /[A-Za-z]/.test(word) && word.length > 3 ? "x".repeat(word.length) : word,
        )
        .replaceAll(/\d/g, "0")
        // An amount that ends in zeros is written without them, and may fit a line that others don't.
        .replaceAll(/(\d{3}\.)0{3,5}(?!\d)/g, "$1000000");
    const settle = (root: Node): void => {
      for (const { firstChild } of document.querySelectorAll(".w-address__group, .w-order__reference strong, code")) {
        const text = (firstChild?.nodeValue ?? "").replaceAll(/[A-Za-z0-9]/g, "x");
        if (firstChild !== null && text !== firstChild.nodeValue) firstChild.nodeValue = text;
      }
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        // What is loaded later reads the page's own data, which nobody sees.
        if (node.parentElement?.closest("script")) continue;
        const text = stable(node.nodeValue ?? "");
        if (text !== node.nodeValue) node.nodeValue = text;
      }
      for (const field of document.querySelectorAll("input")) {
        const text = stable(field.value);
        if (text !== field.value && field.type !== "checkbox" && field.type !== "radio") field.value = text;
      }
    };
    settle(document.body);
    new MutationObserver(() => settle(document.body)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    await document.fonts.load("400 16px Pinned");
    await document.fonts.load("700 16px Pinned", "Я");
    await document.fonts.ready;
  });
}
