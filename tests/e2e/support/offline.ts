import { expect, type Locator, type Page } from "@playwright/test";
import type { Problems } from "./problems.ts";
import type { Texts } from "./texts.ts";

export const RECOVERED_MS = 30_000;

/** The worker has cached the build and answers this page's requests. */
export async function untilWorkerControls(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    return navigator.serviceWorker.controller !== null;
  });
}

/** What these paths answer, with their query where one is given, is there without a network. */
export const untilCached = (page: Page, paths: readonly string[]): Promise<void> =>
  expect
    .poll(
      () =>
        page.evaluate(async () => {
          const stored = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
          return (await Promise.all(stored)).flat().flatMap(({ url }) => {
            const { pathname, search } = new URL(url);
            return [pathname, pathname + search];
          });
        }),
      { timeout: RECOVERED_MS },
    )
    .toEqual(expect.arrayContaining([...paths]));

export const needsNetwork = (page: Page, texts: Texts): Locator =>
  page.getByRole("heading", { level: 1, name: texts.common("failed.offlineTitle") });

/** The text of an element without the groups that are for the eye. */
export const plainText = async (page: Page): Promise<string> =>
  (await page.getByRole("main").innerText()).replace(/\s/g, "");

export function expectNoNetwork(problems: Problems): void {
  problems.expect({ url: /./, as: "failed" });
  problems.expectSaid(/WebSocket connection to \S+ failed/);
}
