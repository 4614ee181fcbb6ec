import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import type { RunOptions } from "axe-core";
import { expect, type Page, test, type TestInfo } from "@playwright/test";
import { AXES, FLOW, FLOWS, walkOf } from "../e2e/support/flows.ts";

/** All that depends on a theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Every rule that axe has by default, on the whole page, and in the other theme the rules of colours, unless another walk of the
 * test's flow checks the same place in that theme. The page is left in the theme that it has.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!isWalkedInBothThemes(test.info())) {
    const isDark = (await page.locator("html").getAttribute("data-theme")) === "dark";
    const [other, own] = isDark ? (["light", "dark"] as const) : (["dark", "light"] as const);
    await setTheme(page, other);
    expect(await violationsOf(page, { runOnly: { type: "rule", values: COLOUR_RULES } }), other).toEqual([]);
    await setTheme(page, own);
  }
  expect(await accessibilityDefects(page)).toEqual([]);
}

function isWalkedInBothThemes({ annotations }: TestInfo): boolean {
  const flow = annotations.find(({ type }) => type === FLOW)?.description;
  const { walks = [] } = Object.entries(FLOWS).find(([name]) => name === flow)?.[1] ?? {};
  return new Set(walks.map((walk) => walkOf(walk).theme)).size === AXES.theme.length;
}

async function setTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
}

/** Every rule that axe has by default, in the theme that the page has: what is found, each in a line. */
export const accessibilityDefects = async (page: Page): Promise<string[]> => [
  ...(await violationsOf(page)),
  ...(await repeatedIds(page)).map((id) => `the id ${id} is repeated`),
];

const repeatedIds = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at);
  });

/** Every rule in the page's current theme; large texts, too, need the contrast of small ones, 4.5:1. */
export async function expectReadable(page: Page): Promise<void> {
  expect(await violationsOf(page, {}, 4.5)).toEqual([]);
}

async function violationsOf(page: Page, only: Pick<RunOptions, "runOnly"> = {}, largeText = 3): Promise<string[]> {
  await finishTransitions(page);
  // Without it axe reports through a tab of its own, behind which this page would draw no more frames.
  const options = {
    ...only,
    resultTypes: ["violations" as const],
    checks: { "color-contrast": { options: contrastOf(largeText) } },
  };
  await loadAxe(page);
  const { violations } = await new AxeBuilder({ page, axeSource: "/* loaded */" })
    .setLegacyMode()
    .options(options)
    .analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")}\n${failureSummary}`),
  );
}

/** Without its comments: less than half of what `axe.source` gives. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Once a document: the builder sends its half megabyte twice at each analysis, which takes as long as the analysis. */
async function loadAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(AXE);
  }
}

/** axe's own options of the rule, which takes them as a whole, but for the contrast of large texts. */
const contrastOf = (largeText: number) => ({
  ignoreUnicode: true,
  ignoreLength: false,
  ignorePseudo: false,
  boldValue: 700,
  boldTextPt: 14,
  largeTextPt: 18,
  contrastRatio: { normal: { expected: 4.5 }, large: { expected: largeText } },
  pseudoSizeThreshold: 0.25,
  shadowOutlineEmMax: 0.2,
  textStrokeEmMin: 0.03,
});

/** Ends running colour transitions, and prevents the fade of a new rate, so that the final colours are checked. */
const finishTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(Element.prototype, { animate: undefined });
    for (let round = 0; round < 100; round += 1) {
      // A spinner never ends.
      const running = document.getAnimations().filter(({ effect, playState }) => {
        // One that keeps its last frame stays in the list when it is over.
        return playState !== "finished" && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
      });
      if (running.length === 0) return;
      for (const transition of running) transition.finish();
    }
    throw new Error("the page's colours never settle");
  });
