import { expect, type Locator, type Page } from "@playwright/test";

const MOST_STOPS = 60;

/** Presses Tab until the target has the focus; each stop on the way has a focus that can be seen. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press("Tab");
    expect(await hasVisibleFocus(page)).toBe(true);
  }
  throw new Error(`not reached in ${MOST_STOPS} stops: ${String(target)}`);
}

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** An outline or ring on the focused element itself or on the box around it. */
const hasVisibleFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const isRinged = (element: Element): boolean => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    };
    const boxes: Element[] = [];
    for (let box = document.activeElement; box !== null && boxes.length < 4; box = box.parentElement) boxes.push(box);
    const beside = document.activeElement?.nextElementSibling;
    return boxes.some(isRinged) || (beside != null && isRinged(beside));
  });
