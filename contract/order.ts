import * as z from "zod/mini";
import { addressSchema, anyTimeSchema, decimalSchema, isoTimeSchema, orderIdSchema, slugSchema } from "./fields.ts";
import { emailSchema } from "./accounts/email.ts";
import { instrumentRefSchema, instrumentSchema } from "./instrument.ts";
import { quotesSchema, rateModeSchema, referrerIdSchema } from "./rate.ts";
import { orderCardSchema } from "./card.ts";
import { utmDataSchema } from "./utm-data.ts";

export { emailSchema } from "./accounts/email.ts";
export { orderIdSchema } from "./fields.ts";
/** Every event of an order, in the order in which spec §4 names them. */
export const ORDER_EVENT_KINDS = [
  "CREATION_END",
  "DEPOSIT_REGISTERED",
  "INCOMING_FUNDS_DETECTED",
  "FUNDS_WITHDRAWAL_START",
  "WITHDRAWAL_COMPLETED",
  "REFUND_REQUESTED",
  "REFUND_COMPLETED",
  "RATE_MODE_CHANGED",
  "RATE_MODE_CHANGE_ACCEPTED",
  "FIXED_RATE_HIGH_VOLATILITY_DETECTED",
  "FIXED_RATE_SLOW_DEPOSIT_DETECTED",
  "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED",
] as const;
const orderEventKindSchema = z.enum(ORDER_EVENT_KINDS);
export type OrderEventKind = z.infer<typeof orderEventKindSchema>;

const memoSchema = z.optional(z.nullable(z.string().check(z.maxLength(128))));

const claimedPublicRateSchema = z.object({
  finalNetworkFeeAmount: z.optional(z.nullable(decimalSchema)),
  platformFee_Absolute: z.optional(z.nullable(decimalSchema)),
  price: decimalSchema,
  quotes: z.optional(z.nullable(quotesSchema)),
  updatedAt: anyTimeSchema,
  claimedAmountToReceive: decimalSchema,
});

/** The create-order payload of spec §3; `claimedDepositAmount` counts the sending instrument (contract §2). */
export const createOrderBodySchema = z.object({
  rateMode: rateModeSchema,
  instrumentFrom: instrumentRefSchema,
  instrumentTo: instrumentRefSchema,
  /** Absent, null or empty for a sale to a card, which has none (contract §11). */
  destinationAddress: z.optional(z.nullable(addressSchema)),
  destinationAddressMemo: memoSchema,
  refundAddress: z.optional(z.nullable(addressSchema)),
  refundAddressMemo: memoSchema,
  claimedPublicRate: claimedPublicRateSchema,
  claimedNetworkFee: z.optional(z.nullable(decimalSchema)),
  userEmail: z.optional(z.nullable(emailSchema)),
  legacyOrderId: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
  referrerId: referrerIdSchema,
  claimedDepositAmount: decimalSchema,
  utmData: z.optional(z.nullable(utmDataSchema)),
  browserFingerprint: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  locale: z.optional(z.nullable(z.string().check(z.maxLength(35)))),
  /** Where the app runs: the page of a card provider leads back into the mini-app (contract §11). */
  shell: z.optional(z.nullable(z.enum(["telegram"]))),
});
export type CreateOrderBody = z.infer<typeof createOrderBodySchema>;

export const depositSchema = z.object({
  amount: decimalSchema,
  confirmations: z.int(),
  requiredConfirmations: z.int(),
  txId: z.string(),
  detectedAt: isoTimeSchema,
  /** False for one that is too small to open or complete anything (contract §3). */
  isCounted: z._default(z.boolean(), true),
});

export const withdrawalSchema = z.object({
  amount: decimalSchema,
  txId: z.nullable(z.string()),
  confirmations: z.int(),
  kind: z.enum(["payout", "refund"]),
});

const orderEventSchema = z.object({ kind: orderEventKindSchema, at: isoTimeSchema });
export type OrderEvent = z.infer<typeof orderEventSchema>;

/** The floating price that the customer may accept until `validUntil`, while a choice is open (contract §3). */
export const offerSchema = z.object({
  price: decimalSchema,
  amountToGet: decimalSchema,
  at: isoTimeSchema,
  validUntil: isoTimeSchema,
});

/**
 * What was received is outside the bounds: the customer adds to it or asks for a refund (contract §3). BELOW_MINIMUM also says that nothing
 * but deposits too small to count has come: the order still waits for its deposit, and there is nothing to refund.
 */
export const attentionSchema = z.object({
  reason: z.enum(["BELOW_MINIMUM", "ABOVE_MAXIMUM"]),
  expected: decimalSchema,
  received: decimalSchema,
  /** The least that one deposit must be to count; null where any counts. */
  countsFrom: z._default(z.nullable(decimalSchema), null),
});

/** Why an order is held, who or what it needs to go on, and until when; `until` is null where no time is known (contract §3). */
const reviewSchema = z.object({
  reason: z.enum([
    "WRONG_ASSET",
    "DEPOSIT_UNDONE",
    "LATE_DEPOSIT",
    "DEPOSIT_CHECK",
    "PAYMENT_CHECK",
    "PAYMENTS_STOPPED",
    "NO_PROVIDER",
    "REFUND_TOO_SMALL",
    "REFUND_DELAYED",
    "REFUND_STOPPED",
  ]),
  needed: z.enum(["OPERATOR", "NETWORK", "PROVIDER", "TOP_UP", "TIME"]),
  until: z.nullable(isoTimeSchema),
});

/** An order as its customer sees it (spec §3, contract §3); `orderEvents` are newest first. */
export const orderSchema = z.object({
  orderId: orderIdSchema,
  reference: z.string(),
  status: z.union([z.literal("res"), z.literal("expired"), orderEventKindSchema]),
  rateMode: rateModeSchema,
  pair: z.object({ instrumentFrom: instrumentSchema, instrumentTo: instrumentSchema }),
  destinationAddress: z.string(),
  destinationAddressMemo: z.nullable(z.string()),
  refundAddress: z.nullable(z.string()),
  refundAddressMemo: z.nullable(z.string()),
  userEmail: z.nullable(z.string()),
  /** False for an email that was set by the order's id alone; true where there is none. */
  isEmailConfirmed: z.boolean(),
  claimedDepositAmount: decimalSchema,
  /** What was agreed at creation; `amountToGet` beside it becomes what is delivered once that is known. */
  claimedPublicRate: z.object({
    price: decimalSchema,
    finalNetworkFeeAmount: decimalSchema,
    platformFee_Absolute: decimalSchema,
    claimedAmountToReceive: decimalSchema,
  }),
  amountToGet: decimalSchema,
  /** What is taken of the deposit in place of the fees of `claimedPublicRate`, once a payout is decided; null before. */
  feesTaken: z._default(z.nullable(z.object({ platformFee: decimalSchema, networkFee: decimalSchema })), null),
  /** What one coin of each cost in US dollars on the market when the order was created; null where that is unknown. */
  pricesUsd: z._default(z.nullable(z.object({ from: decimalSchema, to: decimalSchema })), null),
  /** The same when the order was completed or refunded; null before, and where that is unknown. */
  finalPricesUsd: z._default(z.nullable(z.object({ from: decimalSchema, to: decimalSchema })), null),
  createdAt: isoTimeSchema,
  expiresAt: z.nullable(isoTimeSchema),
  /** When the order expires unless its deposit is seen before, or when it expired; null while one is seen, and where that is unknown. */
  unpaidUntil: z._default(z.nullable(isoTimeSchema), null),
  minConfirmationsToWithdraw: z.int(),
  /** Null where a card is charged instead. */
  depositAddress: z.nullable(z.string()),
  depositAddressMemo: z.nullable(z.string()),
  /** Empty without a deposit address. */
  depositUri: z.string(),
  deposits: z.array(depositSchema),
  withdrawals: z.array(withdrawalSchema),
  orderEvents: z.array(orderEventSchema),
  offer: z.nullable(offerSchema),
  attention: z.nullable(attentionSchema),
  review: z.nullable(reviewSchema),
  /** Where a card order goes on at its provider, until it is paid. */
  redirectUrl: z.nullable(z.string()),
  /** Null for an order between coins. */
  card: z._default(z.nullable(orderCardSchema), null),
  /** Until the coins arrive, as far as that is known now: from the deposit being sent while there is none; null once nothing arrives. */
  estimatedSeconds: z._default(z.nullable(z.int()), null),
});
export type Order = z.infer<typeof orderSchema>;
/** An order between coins, which is always paid to an address. */
export type CoinOrder = Order & { depositAddress: string };

export const publicInfoQuerySchema = z.object({
  orderId: z.string().check(z.maxLength(512)),
  destinationAddress: z.string().check(z.maxLength(512)),
});

export const orderStateQuerySchema = z.object({ orderId: z.string().check(z.maxLength(512)) });

/** With the destination address the email is confirmed, and takes the place of one that is not. */
export const setEmailBodySchema = z.object({
  orderId: z.string().check(z.maxLength(512)),
  userEmail: emailSchema,
  destinationAddress: z.optional(z.nullable(addressSchema)),
});
export const setEmailAnswerSchema = z.object({ orderId: orderIdSchema, isEmailConfirmed: z.boolean() });

/** With the destination address the figures hold for ten minutes; by the id alone they are only shown. */
export const refundInfoQuerySchema = z.object({
  orderId: z.string().check(z.maxLength(512)),
  destinationAddress: z.optional(z.string().check(z.maxLength(512))),
});

export const refundInfoSchema = z.object({ refundAmountWithoutNetworkFee: decimalSchema, networkFee: decimalSchema });

export const requestRefundBodySchema = z.object({
  orderId: z.string().check(z.maxLength(512)),
  destinationAddress: addressSchema,
  refundAddress: addressSchema,
  refundAddressMemo: memoSchema,
  refundAmount: decimalSchema,
  claimedNetworkFee: decimalSchema,
});

/** `token` is from the message about a refund that waits (contract §3). */
export const stopRefundBodySchema = z.object({
  orderId: z.string().check(z.maxLength(512)),
  token: z.string().check(z.minLength(1), z.maxLength(128)),
});
/** Nothing in it opens the order. */
export const stopRefundAnswerSchema = z.object({
  orderId: orderIdSchema,
  reference: z.string(),
  isStopped: z.literal(true),
});

export const acceptRateModeChangeBodySchema = z.object({
  orderId: z.string().check(z.maxLength(512)),
  destinationAddress: addressSchema,
});

/** One of the last completed orders: no id, no address (contract §3). */
export const latestOrderSchema = z.object({
  instrumentFrom: slugSchema,
  instrumentTo: slugSchema,
  amountFrom: decimalSchema,
  amountTo: decimalSchema,
  completedAt: isoTimeSchema,
});
export type LatestOrder = z.infer<typeof latestOrderSchema>;
