import type { Frame, Page } from "@playwright/test";

/** Globals of a page, which Node's types lack. */
type BrowserGlobals = { readonly document: { readonly querySelector: (selector: string) => object | null } };

/** React has taken over the page that the server rendered, to its last element, and has nothing left to do. */
export async function untilHydrated(page: Page | Frame): Promise<void> {
  // A function, not a text: the page's content policy forbids eval.
  await page.waitForFunction(() => {
    const { document } = globalThis as unknown as BrowserGlobals;
    // The page is a boundary of its own inside the frame, and is hydrated after it.
    const parts = ["#root .w-frame__toasts", "#root main > *"].map((selector) => document.querySelector(selector));
    return parts.every((part) => part !== null && Object.keys(part).some((key) => key.startsWith("__reactProps")));
  });
  await page.evaluate("new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done())))");
}
