import * as z from "zod/mini";
import { failureSchema } from "./errors.ts";
import { decimalSchema, isoTimeSchema, slugSchema } from "./fields.ts";
import { cardTermsSchema } from "./card.ts";
import { instrumentSchema } from "./instrument.ts";

const RATE_MODES = ["FIXED", "FLOATING"] as const;
export const rateModeSchema = z.enum(RATE_MODES);
export type RateMode = z.infer<typeof rateModeSchema>;

const EXCHANGE_TYPES = ["crypto", "fiat"] as const;
export const referrerIdSchema = z.optional(z.nullable(z.string().check(z.maxLength(128))));

/**
 * What a rate is asked for (spec §3, contract §2). `claimedDepositAmountCurrency` is the slug of the side that
 * `claimedDepositAmount` counts: naming the receiving one asks for the reverse quote.
 */
export const rateRequestSchema = z.object({
  instrumentFromSlug: slugSchema,
  instrumentToSlug: slugSchema,
  claimedDepositAmount: decimalSchema,
  claimedDepositAmountCurrency: z.optional(z.nullable(slugSchema)),
  rateMode: z._default(rateModeSchema, "FLOATING"),
  referrerId: referrerIdSchema,
  exchangeType: z._default(z.enum(EXCHANGE_TYPES), "crypto"),
});
export type RateRequest = z.infer<typeof rateRequestSchema>;

export const quotesSchema = z.object({
  buyQuote: z.object({ quoteValue: decimalSchema }),
  sellQuote: z.object({ quoteValue: decimalSchema }),
});

/** Pair data (spec §3). Amounts to give count the sending instrument, fees and amounts to get the receiving one. */
export const pairDataSchema = z.object({
  instrumentFrom: instrumentSchema,
  instrumentTo: instrumentSchema,
  liquidityProviderPublicCode: z.string(),
  amountToGive: decimalSchema,
  amountToGet: decimalSchema,
  rateMode: rateModeSchema,
  price: decimalSchema,
  marketLeftPrice: decimalSchema,
  marketRightPrice: decimalSchema,
  marketMinAmount: decimalSchema,
  generalMinAmount: decimalSchema,
  generalMaxAmount: z.nullable(decimalSchema),
  quotes: quotesSchema,
  depositRules: z.object({ minAmount: decimalSchema, maxAmount: z.nullable(decimalSchema) }),
  finalNetworkFeeAmount: decimalSchema,
  platformFee_Absolute: decimalSchema,
  claimedDepositAmount: decimalSchema,
  updatedAt: isoTimeSchema,
  validUntil: z.optional(z.nullable(isoTimeSchema)),
  ckm: z.enum(["A", "B", "D"]),
  noKycThreshold: z.nullable(decimalSchema),
  /** Who carries out a fiat rate, and what it takes; null for a rate between coins. */
  card: z._default(z.nullable(cardTermsSchema), null),
  /** From the deposit being sent to the coins' arrival; null where it is unknown (contract §2). */
  estimatedSeconds: z._default(z.nullable(z.int()), null),
});
export type PairData = z.infer<typeof pairDataSchema>;

export const RATES_EVENT = "pairs.rates";

/** What the socket at /api/v2/ws takes (contract §2); a new request replaces the last one. */
export const socketRequestSchema = z.object({ event: z.literal(RATES_EVENT), params: rateRequestSchema });

/** What it sends: pair data at once and at every change, or the pairs channel's error. */
export const socketMessageSchema = z.union([
  z.object({ event: z.literal(RATES_EVENT), data: pairDataSchema }),
  z.object({ event: z.literal(RATES_EVENT), error: z.omit(failureSchema, { traceId: true }) }),
]);
export type SocketMessage = z.infer<typeof socketMessageSchema>;

export const recommendedAmountQuerySchema = z.object({
  instrumentFromCurrencyTitle: z.string().check(z.maxLength(64)),
  instrumentFromNetworkTitle: z.string().check(z.maxLength(64)),
  instrumentToCurrencyTitle: z.string().check(z.maxLength(64)),
  instrumentToNetworkTitle: z.string().check(z.maxLength(64)),
  rateMode: z._default(rateModeSchema, "FLOATING"),
});
export const recommendedAmountSchema = z.object({ recommendedAmount: decimalSchema });
