import type { LaunchOptions } from "@playwright/test";
import { requireChromium } from "../../../scripts/lib/chromium.ts";

type Launch = { readonly launchOptions: LaunchOptions };

/** For `test.use`: Chromium itself, since its headless shell has no camera, no push, no back-forward cache, and draws letters otherwise. */
export const wholeChromium = {
  launchOptions: ({ launchOptions }: Launch, give: (options: LaunchOptions) => Promise<void>): Promise<void> =>
    give({ ...launchOptions, executablePath: requireChromium() }),
};
