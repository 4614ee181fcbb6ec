import type { Page } from "@playwright/test";

/** What a page has, and Node's own types don't know. */
type BrowserGlobals = { readonly document: { readonly querySelector: (selector: string) => object | null } };

/** React has taken over the page that the server rendered, to its last element, and has nothing left to do. */
export async function untilHydrated(page: Page): Promise<void> {
  // A function, not a text: the page's content policy lets no text be run again and again.
  await page.waitForFunction(() => {
    const last = (globalThis as unknown as BrowserGlobals).document.querySelector("#root .w-frame__toasts");
    return last !== null && Object.keys(last).some((key) => key.startsWith("__reactProps"));
  });
  await page.evaluate("new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done())))");
}
