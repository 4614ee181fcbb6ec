import { resolve } from "node:path";
import { z } from "zod";
import { emailSchema } from "#contract/accounts/email.ts";
import { DEFAULT_SITE_SETTINGS, type SiteSettings } from "#contract/site/ssr.ts";
import { address, flag, type Values } from "./values.ts";

const SANDBOX_OPERATOR = "operator@wherry.example";

export const siteVariables = {
  CONNECTIVITY_URL: address(["https:", "http:"]).default(DEFAULT_SITE_SETTINGS.connectivityUrl),
  SEO_CHECK: flag().default(false),
  ANALYTICS: flag().default(false),
  PARTNER_CODE: z.string().max(128).optional(),
  MINI_APP_URL: address(["https:"]).optional(),
  SOURCE_URL: address(["https:", "http:"]).optional(),
  REDIRECTS_FILE: z.string().optional(),
  SITE_FILE: z.string().optional(),
  RATING_URL: address(["https:", "http:"]).optional(),
  OPERATOR_EMAIL: z
    .string()
    .refine((text) => emailSchema.safeParse(text).success, "must be an email address")
    .optional(),
  CONTENT_URL: address(["https:", "http:"]).optional(),
};

export type SiteConfig = Readonly<{
  settings: Omit<SiteSettings, "rateLockMinutes" | "isCardTaken">;
  /** Absolute; null: no redirects. */
  redirectsFile: string | null;
  /** Absolute: what the operator says of themselves; null: nothing. */
  siteFile: string | null;
  /** Where the operator's rating is read; null: it is the site file's, or there is none. */
  ratingUrl: string | null;
  /** Who gets what the forms of `/support` and `/for-competent-authorities` send; null: there are no forms. */
  operatorEmail: string | null;
  /** Another host whose articles are shown, without a trailing slash; null: those of the build. */
  contentUrl: string | null;
}>;

export const siteConfig = (value: Values<typeof siteVariables>, sandbox: boolean): SiteConfig =>
  Object.freeze({
    settings: Object.freeze({
      connectivityUrl: value.CONNECTIVITY_URL,
      isSeoChecked: value.SEO_CHECK,
      isAnalyticsOn: value.ANALYTICS,
      partnerCode: value.PARTNER_CODE ?? null,
      miniAppUrl: value.MINI_APP_URL ?? null,
      sourceUrl: value.SOURCE_URL ?? null,
    }),
    contentUrl: value.CONTENT_URL?.replace(/\/+$/, "") ?? null,
    redirectsFile: value.REDIRECTS_FILE === undefined ? null : resolve(value.REDIRECTS_FILE),
    siteFile: value.SITE_FILE === undefined ? null : resolve(value.SITE_FILE),
    ratingUrl: value.RATING_URL ?? null,
    // The sandbox has a mailbox for every address.
    operatorEmail: value.OPERATOR_EMAIL ?? (sandbox ? SANDBOX_OPERATOR : null),
  });

/** The settings of pages: those of the environment, whether cards are taken, and the catalogue's rate lock. */
export const siteSettings = (
  { settings }: SiteConfig,
  { rateLockSeconds }: { rateLockSeconds: number },
  isCardTaken: boolean,
): SiteSettings => ({ ...settings, isCardTaken, rateLockMinutes: Math.floor(rateLockSeconds / 60) });
