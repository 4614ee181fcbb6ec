import type { Page } from "@playwright/test";

/** Notes for each key how long it takes from its press until the frame after its work is painted. */
export const OBSERVE_KEYS = `
  globalThis.keyTimes = [];
  addEventListener("keydown", (event) => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => keyTimes.push(performance.now() - event.timeStamp);
    requestAnimationFrame(() => painted.port2.postMessage(null));
  }, { capture: true });
  globalThis.paintedKeys = (count) => new Promise((done) => {
    const look = () => (keyTimes.length >= count ? done() : setTimeout(look, 4));
    look();
  });
`;

/** Presses keys one after another, each after the last one is painted; gives their times in milliseconds. */
export async function keyTimings(page: Page, keys: readonly string[]): Promise<number[]> {
  await page.evaluate("keyTimes = []");
  for (const [index, key] of keys.entries()) {
    await page.keyboard.press(key);
    await page.evaluate(`paintedKeys(${index + 1})`);
  }
  return page.evaluate<number[]>("keyTimes");
}
