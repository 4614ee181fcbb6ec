import { readFileSync } from "node:fs";
import { z } from "zod";
import { type RedirectRule, redirectsSchema } from "#contract/site.ts";
import { DEFAULT_SITE_SETTINGS, type SiteSettings } from "#contract/ssr.ts";
import { ConfigError } from "../base/startup-error.ts";
import { address, flag } from "./values.ts";

const variables = z.object({
  CONNECTIVITY_URL: address(["https:", "http:"]).default(DEFAULT_SITE_SETTINGS.connectivityUrl),
  SEO_CHECK: flag().default(false),
  ANALYTICS: flag().default(false),
  PARTNER_CODE: z.string().max(128).optional(),
  MINI_APP_URL: address(["https:"]).optional(),
  SOURCE_URL: address(["https:", "http:"]).optional(),
  REDIRECTS_FILE: z.string().optional(),
});

export type SiteConfig = { readonly settings: SiteSettings; readonly redirects: readonly RedirectRule[] };

/** The settings of pages, from the environment and the catalogue's terms, and the file of redirects. Throws `ConfigError`. */
export function readSiteConfig(
  env: Readonly<Record<string, string | undefined>>,
  { fixedHoldSeconds }: { fixedHoldSeconds: number },
): SiteConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ""));
  const parsed = variables.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
  const { data } = parsed;
  return {
    settings: {
      connectivityUrl: data.CONNECTIVITY_URL,
      isSeoChecked: data.SEO_CHECK,
      isAnalyticsOn: data.ANALYTICS,
      partnerCode: data.PARTNER_CODE ?? null,
      miniAppUrl: data.MINI_APP_URL ?? null,
      sourceUrl: data.SOURCE_URL ?? null,
      rateLockMinutes: Math.floor(fixedHoldSeconds / 60),
    },
    redirects: data.REDIRECTS_FILE === undefined ? [] : readRedirects(data.REDIRECTS_FILE),
  };
}

function readRedirects(file: string): RedirectRule[] {
  const parsed = redirectsSchema.safeParse(readJsonFile(file));
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
    throw new ConfigError(`REDIRECTS_FILE ${file}: ${issues.join("; ")}`);
  }
  refuseCircles(parsed.data, file);
  return parsed.data;
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError(`REDIRECTS_FILE ${file} can't be read as JSON: ${String(error)}`, { cause: error });
  }
}

/** Two rules for one path, and rules that lead back to where they began, would never end. */
function refuseCircles(rules: readonly RedirectRule[], file: string): void {
  const targets = new Map<string, string>();
  for (const { from, to } of rules) {
    if (targets.has(from)) throw new ConfigError(`REDIRECTS_FILE ${file}: two rules for ${from}`);
    targets.set(from, to.replace(/[?#].*$/, ""));
  }
  for (const from of targets.keys()) {
    const seen = new Set<string>();
    for (let at: string | undefined = from; at !== undefined; at = targets.get(at)) {
      if (seen.has(at)) throw new ConfigError(`REDIRECTS_FILE ${file}: ${from} leads in a circle`);
      seen.add(at);
    }
  }
}
