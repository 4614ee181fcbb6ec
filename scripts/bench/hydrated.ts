import type { Page } from "@playwright/test";

/** React has taken over the page that the server rendered, to its last element, and has nothing left to do. */
export async function untilHydrated(page: Page): Promise<void> {
  // Written as text: what is measured here is Node's, and knows no page.
  await page.waitForFunction(
    `Object.keys(document.querySelector("#root .w-frame__toasts") ?? {}).some((key) => key.startsWith("__reactProps"))`,
  );
  await page.evaluate("new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done())))");
}
