import { z } from "zod";
import { ConfigError } from "../base/processes/startup-error.ts";
import { address, count, wholeNumber, type Values } from "./values.ts";

const DECIMAL = /^\d{1,9}(?:\.\d{1,2})?$/;

export const cardVariables = {
  MERCURYO_URL: address(["http:", "https:"]).default("https://api.mercuryo.io/v1.6"),
  MERCURYO_PAGES_URL: address(["http:", "https:"]).default("https://payments.mercuryo.io"),
  MERCURYO_WIDGET_ID: z.string().optional(),
  MERCURYO_SECRET: z.string().optional(),
  MERCURYO_PARTNER_TOKEN: z.string().optional(),
  MERCURYO_FEE_BPS: wholeNumber(
    0,
    1_000,
    "must be a whole number from 0 to 1000, in hundredths of a percent: 50 is 0.5 %",
  )
    .transform(BigInt)
    .default(0n),
  RATE_LIMIT_CARD_RATES: count().default(120),
  CARD_NO_KYC_THRESHOLD: z.string().regex(DECIMAL, "must be an amount such as 150").default("150"),
};

/** The provider of cards; null: cards are not taken. */
export type CardConfig = Readonly<{
  mercuryo: Readonly<{
    url: string;
    pagesUrl: string;
    widgetId: string;
    feeBps: bigint;
    /** Null: the sandbox's own provider, whose keys each database makes for itself. */
    keys: Readonly<{ secret: string; partnerToken: string }> | null;
  }> | null;
  /** In the fiat currency: from this amount on the provider has to have verified the customer. */
  noKycThreshold: string;
  /** About rates, that one client may cause. */
  questionsPerMinute: number;
}>;

/** The sandbox's own provider speaks the same protocol, to this machine alone. */
const SANDBOX = { widgetId: "sandbox", feeBps: 50n, keys: null };

/** Without a widget of a provider the sandbox's own one serves, at the site itself. */
export function cardConfig(
  value: Values<typeof cardVariables>,
  { sandbox, publicUrl, apiUrl }: { sandbox: boolean; publicUrl: string; apiUrl: string },
): CardConfig {
  const {
    MERCURYO_WIDGET_ID: widgetId,
    MERCURYO_SECRET: secret,
    MERCURYO_PARTNER_TOKEN: partnerToken,
    CARD_NO_KYC_THRESHOLD: noKycThreshold,
    RATE_LIMIT_CARD_RATES: questionsPerMinute,
  } = value;
  if (widgetId === undefined && secret === undefined && partnerToken === undefined) {
    const own = { url: `${apiUrl}/sandbox/mercuryo/v1.6`, pagesUrl: `${publicUrl}/sandbox/mercuryo`, ...SANDBOX };
    return Object.freeze({ mercuryo: sandbox ? Object.freeze(own) : null, noKycThreshold, questionsPerMinute });
  }
  if (widgetId === undefined || secret === undefined || partnerToken === undefined)
    throw new ConfigError("MERCURYO_WIDGET_ID, MERCURYO_SECRET and MERCURYO_PARTNER_TOKEN need each other");
  const mercuryo = Object.freeze({
    url: value.MERCURYO_URL,
    pagesUrl: value.MERCURYO_PAGES_URL,
    widgetId,
    feeBps: value.MERCURYO_FEE_BPS,
    keys: Object.freeze({ secret, partnerToken }),
  });
  return Object.freeze({ mercuryo, noKycThreshold, questionsPerMinute });
}
