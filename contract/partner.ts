import * as z from "zod/mini";
import { decimalSchema, isoTimeSchema } from "./fields.ts";
import { instrumentSchema } from "./instrument.ts";
import { pairDataSchema, rateModeSchema } from "./rate.ts";

// What signed calls take and answer (contract §13).

/** An instrument with the ids that other systems know it by; null where its chain has none. */
export const partnerInstrumentSchema = z.extend(instrumentSchema, {
  /** CAIP-2: "eip155:1". */
  chainId: z.nullable(z.string()),
  /** CAIP-19: "eip155:1/erc20:0xdAC1…". */
  assetId: z.nullable(z.string()),
});
export type PartnerInstrument = z.infer<typeof partnerInstrumentSchema>;
export const partnerInstrumentsSchema = z.array(partnerInstrumentSchema);

/** A slug, or a CAIP-19 id. */
const assetSchema = z.string().check(z.minLength(1), z.maxLength(256));

/** What a partner adds to our fee for itself, in hundredths of a percent. */
export const MAX_MARKUP_BPS = 500;
const markupQuerySchema = z._default(
  z.string().check(
    z.regex(/^\d{1,3}$/),
    z.refine((text) => Number(text) <= MAX_MARKUP_BPS, `must be a whole number from 0 to ${MAX_MARKUP_BPS}`),
  ),
  "0",
);

/** As for a public rate (contract §2); instruments by slug or by CAIP-19. */
export const partnerRateQuerySchema = z.object({
  instrumentFromSlug: assetSchema,
  instrumentToSlug: assetSchema,
  claimedDepositAmount: decimalSchema,
  claimedDepositAmountCurrency: z.optional(assetSchema),
  rateMode: z._default(rateModeSchema, "FLOATING"),
  markupBps: markupQuerySchema,
});
export type PartnerRateQuery = z.infer<typeof partnerRateQuerySchema>;

const unitsSchema = z.string().check(z.regex(/^\d+$/));
/** A rate with the markup in it; amounts also in the chains' own units. `validUntil` is how long it can be ordered as it is. */
export const partnerRateSchema = z.extend(pairDataSchema, {
  instrumentFrom: partnerInstrumentSchema,
  instrumentTo: partnerInstrumentSchema,
  amountToGiveUnits: unitsSchema,
  amountToGetUnits: unitsSchema,
  markupBps: z.int(),
  validUntil: isoTimeSchema,
});

/** One reason in `data.reasons` of a refused rate or creation, with the nearest amounts that could be had; null where none helps. */
export const partnerReasonSchema = z.object({
  status: z.string(),
  message: z.string(),
  sourceAmountLimit: z.nullable(decimalSchema),
  destinationAmountLimit: z.nullable(decimalSchema),
});
export type PartnerReason = z.infer<typeof partnerReasonSchema>;
