import { expect, type Frame, type Locator, type Page } from "@playwright/test";

const SETTLED_MS = 60_000;

/**
 * Waits until an order's page shows what its settlement leads to. The page's polling interval is not waited for: it polls as
 * often as it does when its network is back.
 */
export async function untilSettled(page: Page | Frame, settled: Locator): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(settled).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: SETTLED_MS, intervals: [100, 300, 1_000] });
}
