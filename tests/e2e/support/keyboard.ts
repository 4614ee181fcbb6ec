import { expect, type Locator, type Page } from "@playwright/test";

/** More than any page has. */
const MAX_STOPS = 120;

/** Presses Tab until the target has the focus; each stop on the way must have a visible focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press("Tab");
    expect(await hasVisibleFocus(page)).toBe(true);
  }
  throw new Error(`not reached in ${MAX_STOPS} stops: ${String(target)}`);
}

/** Goes to a group of radio buttons, which is one stop, and by the arrows to one of them. */
export async function tabToGroup(page: Page, radio: Locator): Promise<void> {
  const name = await radio.getAttribute("name");
  const focused = page.locator(`input[type=radio][name="${name}"]:focus`);
  for (let stop = 0; stop < MAX_STOPS && (await focused.count()) === 0; stop += 1) await page.keyboard.press("Tab");
  for (let step = 0; step < MAX_STOPS && !(await isFocused(radio)); step += 1) await page.keyboard.press("ArrowDown");
  if (!(await radio.isChecked())) await page.keyboard.press("Space");
}

/** Moves by the arrows through a combobox's list, the focus staying in its field. */
export async function moveTo(page: Page, search: Locator, option: Locator): Promise<void> {
  const id = await option.getAttribute("id");
  if (id === null) throw new Error(`an option of a combobox has an id: ${String(option)}`);
  for (let step = 0; step < MAX_STOPS; step += 1) {
    if ((await search.getAttribute("aria-activedescendant")) === id) return;
    await page.keyboard.press("ArrowDown");
  }
  throw new Error(`not reached in ${MAX_STOPS} steps: ${String(option)}`);
}

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** An outline or ring on the focused element itself or on the box around it. */
const hasVisibleFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    // After the last stop comes the browser's own.
    if (document.activeElement === document.body) return true;
    const isRinged = (element: Element): boolean => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    };
    const boxes: Element[] = [];
    for (let box = document.activeElement; box !== null && boxes.length < 4; box = box.parentElement) boxes.push(box);
    const beside = document.activeElement?.nextElementSibling;
    return boxes.some(isRinged) || (beside != null && isRinged(beside));
  });
