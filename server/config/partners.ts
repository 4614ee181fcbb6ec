import { z } from "zod";
import { ConfigError } from "../base/processes/startup-error.ts";
import { address, slugPairs, type Values } from "./values.ts";

export const partnerVariables = {
  CHANGENOW_API_KEY: z.string().optional(),
  CHANGENOW_URL: address(["http:", "https:"]).default("https://api.changenow.io/v2"),
  SIDESHIFT_SECRET: z.string().optional(),
  SIDESHIFT_AFFILIATE_ID: z.string().optional(),
  SIDESHIFT_URL: address(["http:", "https:"]).default("https://sideshift.ai/api/v2"),
  PARTNER_PAIRS: slugPairs().optional(),
};

export const partnerSecrets = ["CHANGENOW_API_KEY", "SIDESHIFT_SECRET"] as const;

/** Who else fills orders; each is null without its key. A process with ROLES=web has none of them. */
export type PartnersConfig = Readonly<{
  changeNow: Readonly<{ url: string; apiKey: string }> | null;
  sideShift: Readonly<{ url: string; secret: string; affiliateId: string }> | null;
  /** The pairs whose rates they are asked for, by slug. */
  pairs: readonly Readonly<{ from: string; to: string }>[];
}>;

/** Refuses a partner that could do nothing: that is a configuration error. */
export function partnersConfig(value: Values<typeof partnerVariables>): PartnersConfig {
  const { CHANGENOW_API_KEY: apiKey, SIDESHIFT_SECRET: secret, SIDESHIFT_AFFILIATE_ID: affiliateId } = value;
  if (secret !== undefined && affiliateId === undefined)
    throw new ConfigError("SIDESHIFT_SECRET needs SIDESHIFT_AFFILIATE_ID");
  if ((apiKey ?? secret) !== undefined && value.PARTNER_PAIRS === undefined)
    throw new ConfigError("PARTNER_PAIRS must name the pairs that a partner is asked for");
  return Object.freeze({
    changeNow: apiKey === undefined ? null : Object.freeze({ url: value.CHANGENOW_URL, apiKey }),
    sideShift:
      secret === undefined || affiliateId === undefined
        ? null
        : Object.freeze({ url: value.SIDESHIFT_URL, secret, affiliateId }),
    pairs: Object.freeze(value.PARTNER_PAIRS ?? []),
  });
}
