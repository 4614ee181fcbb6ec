import { resolve } from "node:path";
import { z } from "zod";
import { DEFAULT_SITE_SETTINGS, type SiteSettings } from "#contract/ssr.ts";
import { address, flag, type Values } from "./values.ts";

export const siteVariables = {
  CONNECTIVITY_URL: address(["https:", "http:"]).default(DEFAULT_SITE_SETTINGS.connectivityUrl),
  SEO_CHECK: flag().default(false),
  ANALYTICS: flag().default(false),
  PARTNER_CODE: z.string().max(128).optional(),
  MINI_APP_URL: address(["https:"]).optional(),
  SOURCE_URL: address(["https:", "http:"]).optional(),
  REDIRECTS_FILE: z.string().optional(),
};

export type SiteConfig = Readonly<{
  settings: Omit<SiteSettings, "rateLockMinutes">;
  /** Absolute; null: no redirects. */
  redirectsFile: string | null;
}>;

export const siteConfig = (value: Values<typeof siteVariables>): SiteConfig =>
  Object.freeze({
    settings: Object.freeze({
      connectivityUrl: value.CONNECTIVITY_URL,
      isSeoChecked: value.SEO_CHECK,
      isAnalyticsOn: value.ANALYTICS,
      partnerCode: value.PARTNER_CODE ?? null,
      miniAppUrl: value.MINI_APP_URL ?? null,
      sourceUrl: value.SOURCE_URL ?? null,
    }),
    redirectsFile: value.REDIRECTS_FILE === undefined ? null : resolve(value.REDIRECTS_FILE),
  });

/** The settings of pages: those of the environment, and the catalogue's rate lock. */
export const siteSettings = (
  { settings }: SiteConfig,
  { fixedHoldSeconds }: { fixedHoldSeconds: number },
): SiteSettings => ({ ...settings, rateLockMinutes: Math.floor(fixedHoldSeconds / 60) });
