import { expect, type Locator, type Page } from "@playwright/test";
import { sandboxNetworkAnswerSchema } from "#contract/sandbox.ts";
import type { Api } from "../../support/api.ts";

const SETTLED_MS = 60_000;

export const mineOne = async (api: Api): Promise<void> =>
  void (await api.sandbox("networks/ETH", { mine: 1 }, sandboxNetworkAnswerSchema));

/**
 * Waits until an order's page shows what its settlement leads to, without waiting for blocks and polls: the sandbox mines, and
 * the page looks as it does when its network is back.
 */
export async function untilSettled(page: Page, api: Api, shown: Locator): Promise<void> {
  await expect(async () => {
    await mineOne(api);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(shown).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: SETTLED_MS, intervals: [100, 300, 1_000] });
}
