import type { Page } from "@playwright/test";

const LOOKS = 5;

/** What a page's layout hides from its reader, each in a line; nothing where all is well. */
export async function layoutDefects(page: Page): Promise<string[]> {
  let defects: string[] = [];
  // A figure is fitted some frames after the page's size has changed.
  for (let look = 0; look < LOOKS; look += 1) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    defects = await page.evaluate(findDefects);
    if (defects.length === 0) return [];
  }
  return defects;
}

/** The same in windows of these widths; the last one stays. */
export async function layoutDefectsAt(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const defects = [...(await layoutDefects(page)), ...(await page.evaluate(findBrokenWords))];
    for (const defect of defects) found.push(`at ${width} px: ${defect}`);
  }
  return found;
}

/** Words and figures that go on in a second line, as `USD` and `T`: at the usual size of letters there is room for each. */
function findBrokenWords(): string[] {
  const LONGEST = 16;
  const walker = document.createTreeWalker(
    document.querySelector("dialog[open]") ?? document.body,
    NodeFilter.SHOW_TEXT,
  );
  const broken = new Set<string>();
  const range = document.createRange();
  const lineCount = () =>
    new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))).size;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null) continue;
    range.selectNodeContents(node);
    // No word of a single line is broken: most texts, for which this is all that is asked.
    if (lineCount() < 2 || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest(".w-frame__skip, .w-visually-hidden") !== null) continue;
    // Addresses, links and names that somebody made up have no places to break at.
    if (parent.closest("script, style, svg, code, bdi, .w-mono, .w-address") !== null) continue;
    if (/[@:]/.test(parent.textContent)) continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[^\s/-]+/g)) {
      if (word.length > LONGEST) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (lineCount() > 1) broken.add(`"${word}" is broken in ${parent.tagName.toLowerCase()}.${parent.className}`);
    }
  }
  return [...broken];
}

function findDefects(): string[] {
  type Line = { readonly text: string; readonly box: DOMRect; readonly parent: Element };
  const { scrollWidth, clientWidth } = document.documentElement;
  const defects = new Set<string>();
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
  const said = ({ text, parent }: Line) => `"${text.slice(0, 40)}" in ${nameOf(parent)}`;
  if (scrollWidth > clientWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter(
      (one) => one.getBoundingClientRect().right > clientWidth + 0.5,
    );
    defects.add(`the page is ${scrollWidth} px wide, with ${wide.slice(0, 3).map(nameOf).join(", ")}`);
  }

  /** Asks once of each element: most lines have the same ancestors. */
  const once = <Value>(find: (element: Element) => Value): ((element: Element) => Value) => {
    const found = new Map<Element, Value>();
    return (element) => {
      if (!found.has(element)) found.set(element, find(element));
      return found.get(element) as Value;
    };
  };
  const styleOf = once((element) => {
    const { overflowX, overflowY, display, position, clipPath } = getComputedStyle(element);
    return { overflowX, overflowY, display, position, clipPath };
  });
  const boxOf = once((element) => element.getBoundingClientRect());
  const isClipped: (element: Element) => boolean = once(
    (element) =>
      styleOf(element).clipPath !== "none" || (element.parentElement !== null && isClipped(element.parentElement)),
  );
  /** Hidden for the eye on purpose, by itself or by what it is in. */
  const isHidden = once(
    (element) => !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isClipped(element),
  );
  const isPinned = once(
    (element) =>
      element.closest(
        ".w-header, .w-tabs, .w-bottom-bar, .w-frame__skip, .w-frame__toasts, .w-coin-list, .w-coin-search",
      ) !== null,
  );

  /** Checks a line of text against whatever cuts it off, up to what scrolls it. */
  const checkCuts = (line: Line): void => {
    const { box, parent } = line;
    const open = { x: true, y: true };
    for (let at: Element | null = parent; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY, display, position } = styleOf(at);
      if (display === "contents" || display === "inline") continue;
      const around = boxOf(at);
      const isCut = {
        x: box.right > around.right + 1.5 || box.left < around.left - 1.5,
        y: box.bottom > around.bottom + 3 || box.top < around.top - 3,
      };
      for (const [axis, overflow] of [["x", overflowX] as const, ["y", overflowY] as const]) {
        if (open[axis] && isCut[axis] && /hidden|clip/.test(overflow))
          defects.add(`${said(line)} is cut off by ${nameOf(at)}`);
        if (/auto|scroll/.test(overflow)) open[axis] = false;
      }
      if (position === "fixed") break;
    }
    if (open.x && box.right > clientWidth + 1) defects.add(`${said(line)} ends at ${Math.round(box.right)} px`);
  };

  const walker = document.createTreeWalker(
    document.querySelector("dialog[open]") ?? document.body,
    NodeFilter.SHOW_TEXT,
  );
  const range = document.createRange();
  const lines: Line[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = (node.textContent ?? "").trim();
    if (text === "" || parent === null || parent.closest("script, style, svg") !== null || isHidden(parent)) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 0) lines.push({ text, box, parent });
  }
  for (const line of lines) checkCuts(line);

  for (const field of document.querySelectorAll<HTMLInputElement>(".w-amount-field"))
    if (field.scrollWidth > field.clientWidth + 1) defects.add(`the amount ${field.value} is cut off`);
  for (const button of document.querySelectorAll<HTMLElement>("button, .w-button, .w-segmented__option"))
    if (!isHidden(button) && button.scrollWidth > button.clientWidth + 1)
      defects.add(`"${button.innerText}" leaves ${nameOf(button)}`);

  // What is pinned lies over the page as it should, and only the seen rows of a long list are in the page.
  const inFlow = lines.filter(({ parent }) => !isPinned(parent)).toSorted((one, other) => one.box.top - other.box.top);
  for (const [at, one] of inFlow.entries())
    for (let next = at + 1; next < inFlow.length; next += 1) {
      const other = inFlow[next];
      if (other === undefined || other.box.top > one.box.bottom - 4) break;
      if (one.parent === other.parent) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
      if (across > 2 && down > 4) defects.add(`${said(one)} lies over ${said(other)}`);
    }
  return [...defects];
}
