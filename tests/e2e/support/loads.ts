import { expect, type Page } from "@playwright/test";

/** What a page loads by itself after all else: the health check two seconds after its start, the check for updates at the first touch. */
const LAST = [/\/assets\/health-polling-[^/]+\.js$/, /\/builds\/latest\.json\?/];

/** Records what a page loads, from now on. */
export function watchLoads(page: Page): { readonly urls: readonly string[]; readonly untilRest: () => Promise<void> } {
  const urls: string[] = [];
  page.on("response", (response) => void urls.push(response.url()));
  return {
    urls,
    /** Touches the page, without pointing at anything, and waits until it has loaded what it loads unasked. */
    async untilRest() {
      await page.keyboard.press("Shift");
      await expect.poll(() => LAST.filter((late) => !urls.some((url) => late.test(url)))).toEqual([]);
      await page.waitForLoadState("networkidle");
    },
  };
}
