import type { Browser, BrowserContext, Page } from "@playwright/test";
import { untilHydrated } from "./hydrated.ts";
import { OBSERVE_TIMINGS, READ_TIMINGS, readTimings } from "./page-timings.ts";
import { PHONE } from "./page-load.ts";

/** Globals of a page, which Node's types lack. */
type BrowserGlobals = {
  readonly navigator: {
    readonly serviceWorker: { readonly controller: object | null; readonly ready: Promise<unknown> };
  };
  readonly benchEntries: { readonly fcp: number | null };
};

/** A device that has visited these pages, each of them twice: the second time through the worker. */
export async function visitedDevice(browser: Browser, urls: readonly string[]): Promise<BrowserContext> {
  const device = await browser.newContext({ ...PHONE, locale: "en-US" });
  const page = await device.newPage();
  for (const url of [...urls, ...urls]) {
    await page.goto(url, { waitUntil: "networkidle" });
    await untilHydrated(page);
    await page.waitForFunction(async () => {
      const { serviceWorker } = (globalThis as unknown as BrowserGlobals).navigator;
      await serviceWorker.ready;
      return serviceWorker.controller !== null;
    });
  }
  await page.close();
  return device;
}

/** The first paint of a page load without a server, in milliseconds since its start. */
export async function offlineFirstPaint(device: BrowserContext, url: string): Promise<number> {
  const page = await device.newPage();
  try {
    await page.addInitScript({ content: OBSERVE_TIMINGS });
    await page.goto(url);
    await painted(page);
    return readTimings(await page.evaluate(READ_TIMINGS)).fcp;
  } finally {
    await page.close();
  }
}

async function painted(page: Page): Promise<void> {
  await page.waitForFunction(() => (globalThis as unknown as BrowserGlobals).benchEntries.fcp !== null);
}
