import * as z from "zod/mini";
import { addressSchema, decimalSchema, isoTimeSchema, momentSchema, orderIdSchema } from "./fields.ts";
import { instrumentSchema } from "./instrument.ts";
import {
  attentionSchema,
  createOrderBodySchema,
  depositSchema,
  offerSchema,
  orderSchema,
  withdrawalSchema,
} from "./order.ts";
import { cursorQuerySchema } from "./paging.ts";
import { pairDataSchema, rateModeSchema } from "./rate.ts";

// What signed calls take and answer (contract §13).

/** An amount in its chain's smallest unit, as wallets count. */
const unitsSchema = z.string().check(z.regex(/^\d+$/, "must be a whole number"));

/** An instrument with the ids that other systems know it by; null where its chain has none. */
export const partnerInstrumentSchema = z.extend(instrumentSchema, {
  /** CAIP-2: "eip155:1". */
  chainId: z.nullable(z.string()),
  /** CAIP-19: "eip155:1/erc20:0xdAC1…". */
  assetId: z.nullable(z.string()),
  /** What a first payment to an account must bring, where that opens it (XRP, Stellar): a smaller payout to a new account is refused. */
  accountReserve: z.nullable(decimalSchema),
  accountReserveUnits: z.nullable(unitsSchema),
});
export type PartnerInstrument = z.infer<typeof partnerInstrumentSchema>;
export const partnerInstrumentsSchema = z.array(partnerInstrumentSchema);

/** A slug, or a CAIP-19 id. */
const assetSchema = z.string().check(z.minLength(1), z.maxLength(256));

/** What a partner adds to our fee for itself, in hundredths of a percent. */
const MAX_MARKUP_BPS = 500;
const WRONG_MARKUP = `must be a whole number from 0 to ${MAX_MARKUP_BPS}`;
const markupQuerySchema = z._default(
  z.string().check(
    z.regex(/^\d{1,3}$/, { error: WRONG_MARKUP, abort: true }),
    z.refine((text) => Number(text) <= MAX_MARKUP_BPS, WRONG_MARKUP),
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

/** A rate with the markup in it; what is sent and got, and the bounds, also in the chains' own units. `validUntil` is how long it can be ordered as it is. */
export const partnerRateSchema = z.extend(pairDataSchema, {
  instrumentFrom: partnerInstrumentSchema,
  instrumentTo: partnerInstrumentSchema,
  amountToGiveUnits: unitsSchema,
  amountToGetUnits: unitsSchema,
  depositRules: z.extend(pairDataSchema.shape.depositRules, {
    minAmountUnits: unitsSchema,
    maxAmountUnits: z.nullable(unitsSchema),
  }),
  markupBps: z.int(),
  validUntil: isoTimeSchema,
});

/** One reason in `data.reasons` of a refused rate or creation, with the nearest amounts that could be had; null where none helps. */
const refusalReasonSchema = z.object({
  status: z.string(),
  message: z.string(),
  sourceAmountLimit: z.nullable(decimalSchema),
  destinationAmountLimit: z.nullable(decimalSchema),
});
export type RefusalReason = z.infer<typeof refusalReasonSchema>;
export const partnerReasonSchema = z.extend(refusalReasonSchema, {
  sourceAmountLimitUnits: z.nullable(unitsSchema),
  destinationAmountLimitUnits: z.nullable(unitsSchema),
});
export type PartnerReason = z.infer<typeof partnerReasonSchema>;

/** `INFO_NEEDED` waits for the customer: a choice, a top-up or a refund; `PROCESSING` goes on by itself. */
const PARTNER_ORDER_STATES = ["PENDING", "PROCESSING", "INFO_NEEDED", "COMPLETED", "REFUNDED", "EXPIRED"] as const;
const partnerOrderStateSchema = z.enum(PARTNER_ORDER_STATES);
export type PartnerOrderState = z.infer<typeof partnerOrderStateSchema>;

/** The way an order goes that a sandbox plays for whoever integrates (contract §13). */
export const SANDBOX_OUTCOMES = ["slow", "wrong-amount", "volatility", "partner-fails", "refund"] as const;
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

const externalIdSchema = z.string().check(z.minLength(1), z.maxLength(128));

/** As for a public creation (contract §3), for a customer of the partner. */
export const partnerCreateOrderBodySchema = z.extend(
  z.pick(createOrderBodySchema, {
    rateMode: true,
    destinationAddress: true,
    destinationAddressMemo: true,
    refundAddress: true,
    refundAddressMemo: true,
    claimedPublicRate: true,
    claimedDepositAmount: true,
    locale: true,
  }),
  {
    instrumentFromSlug: assetSchema,
    instrumentToSlug: assetSchema,
    /** As in the rate that is ordered. */
    markupBps: z._default(z.int().check(z.minimum(0), z.maximum(MAX_MARKUP_BPS)), 0),
    /** The partner's own name for it, of no other order of the account. */
    externalId: z.optional(z.nullable(externalIdSchema)),
    /** In a sandbox alone: it pays the order itself, so that it goes this way. */
    sandboxOutcome: z.optional(z.nullable(z.enum(SANDBOX_OUTCOMES))),
  },
);
export type PartnerCreateOrderBody = z.infer<typeof partnerCreateOrderBodySchema>;

/**
 * An order with what reports need, its amounts also in the chains' own units. USD values are those of the end, else of the creation; null where they are unknown, and where
 * nothing was paid out because the order was refunded (`amountToUsd`).
 */
export const partnerOrderSchema = z.extend(orderSchema, {
  pair: z.object({ instrumentFrom: partnerInstrumentSchema, instrumentTo: partnerInstrumentSchema }),
  state: partnerOrderStateSchema,
  externalId: z.nullable(z.string()),
  markupBps: z.int(),
  claimedDepositAmountUnits: unitsSchema,
  amountToGetUnits: unitsSchema,
  deposits: z.array(z.extend(depositSchema, { amountUnits: unitsSchema })),
  withdrawals: z.array(z.extend(withdrawalSchema, { amountUnits: unitsSchema })),
  offer: z.nullable(z.extend(offerSchema, { amountToGetUnits: unitsSchema })),
  attention: z.nullable(
    z.extend(attentionSchema, {
      expectedUnits: unitsSchema,
      receivedUnits: unitsSchema,
      countsFromUnits: z.nullable(unitsSchema),
    }),
  ),
  amountFromUsd: z.nullable(decimalSchema),
  amountToUsd: z.nullable(decimalSchema),
});
/** What whoever knows an order's id alone is told of it. */
export const orderStateSchema = z.object({ orderId: orderIdSchema, state: partnerOrderStateSchema });
export const partnerOrderParamsSchema = z.object({ orderId: orderIdSchema });

/** Each narrows the list; `from` is included, `to` is not, unless it is a day. `cursor` is the `nextCursor` of the part before. */
export const partnerOrdersQuerySchema = z.object({
  from: z.optional(momentSchema),
  to: z.optional(momentSchema),
  state: z.optional(partnerOrderStateSchema),
  externalId: z.optional(externalIdSchema),
  ...cursorQuerySchema.shape,
});
/** The newest first. A new order moves nothing in what comes after the cursor. */
export const partnerOrdersSchema = z.object({
  items: z.array(partnerOrderSchema),
  nextCursor: z.nullable(z.string()),
});

/** Without an address the refund goes to that of the creation. */
export const partnerRefundBodySchema = z.object({
  refundAddress: z.optional(z.nullable(addressSchema)),
  refundAddressMemo: z.optional(z.nullable(z.string().check(z.maxLength(128)))),
});
export const partnerAcceptBodySchema = z.object({});
