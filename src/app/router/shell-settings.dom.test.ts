import { afterEach, expect, it } from "vitest";
import { DEFAULT_SITE_SETTINGS } from "#contract/site/ssr.ts";
import { saveRateLock } from "./page-data.ts";
import { shellSettings } from "./shell-settings.ts";

afterEach(() => localStorage.clear());

it("the offline shell names the rate lock of the last page that the server rendered", () => {
  expect(shellSettings()).toEqual(DEFAULT_SITE_SETTINGS);
  saveRateLock({ ...DEFAULT_SITE_SETTINGS, isSeoChecked: true, rateLockMinutes: 15 });
  expect(shellSettings()).toEqual({ ...DEFAULT_SITE_SETTINGS, rateLockMinutes: 15 });
  localStorage.setItem("rate-lock-minutes", '"soon"');
  expect(shellSettings()).toEqual(DEFAULT_SITE_SETTINGS);
});
