import type { Page } from "@playwright/test";

/** Delays the app's scripts, as a slow network does, until the returned function is called. */
export async function delayScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

/** Leaves the rates to the HTTP calls: the socket opens and never says anything. */
export const muteSocket = (page: Page): Promise<void> => page.routeWebSocket(/\/api\/v2\/ws$/, () => undefined);
