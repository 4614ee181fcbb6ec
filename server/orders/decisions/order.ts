import * as z from "zod";
import { ORDER_EVENT_KINDS, type OrderEventKind } from "#contract/order.ts";
import { toMinor, type Minor } from "#contract/money.ts";
import { SANDBOX_OUTCOMES } from "#contract/partner-api.ts";

const minor = <Side extends string>() =>
  z.codec(
    z.string().regex(/^[0-9]+$/),
    z.custom<Minor<Side>>((value) => typeof value === "bigint"),
    {
      decode: (text) => toMinor<Side>(BigInt(text)),
      encode: (amount) => amount.toString(),
    },
  );
const fromAmount = minor<"from">();
const toAmount = minor<"to">();
const scaled = minor<"usd">();
const fiatAmount = minor<"fiat">();
const time = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const recipient = z.object({ address: z.string(), memo: z.string().nullable() });
const side = z.object({ slug: z.string(), networkTitle: z.string(), decimals: z.int() });
const market = z.object({ fromPriceUsd: scaled, toPriceUsd: scaled });

/** What was agreed at creation. It never changes: precision, fees and bounds are frozen here (engine law 12). */
const termsSchema = z.object({
  rateMode: z.enum(["FIXED", "FLOATING"]),
  from: side,
  to: side,
  destination: recipient,
  refund: recipient.nullable(),
  deposit: recipient,
  claimedDepositAmount: fromAmount,
  quoted: z.object({ amountTo: toAmount, price: z.string(), platformFee: toAmount, networkFee: toAmount, market }),
  floatingFeeBps: scaled,
  spreadBps: scaled,
  minAmount: fromAmount,
  maxAmount: fromAmount.nullable(),
  requiredConfirmations: z.int(),
  createdAt: time,
  /** `lateBps` bounds the market's move for a deposit that was in no block by `expiresAt`; orders of older versions lack it. */
  fixed: z.object({ expiresAt: time, volatilityBps: scaled, dustBps: scaled, lateBps: scaled.optional() }).nullable(),
  /** A deposit below it neither opens, completes nor prolongs anything; orders of older versions lack it. */
  minDeposit: fromAmount.optional(),
  /** How long an offer is good, and how far the market may fall below it; orders of older versions lack it. */
  offer: z.object({ validSeconds: z.int(), toleranceBps: scaled }).optional(),
  /** When an order that nobody paid expires; orders of older versions lack it. */
  unpaidUntil: time.optional(),
  /** Who quoted it, where that was a partner. */
  provider: z.string().optional(),
  /** The part of the fee that is an integrator's, where a program of theirs made it; it is in `floatingFeeBps` and `quoted.platformFee`. */
  markupBps: scaled.optional(),
  /** The way a sandbox plays it; no other order has one. */
  rehearsal: z.enum(SANDBOX_OUTCOMES).optional(),
  /** Set where a card provider carries it out: then `deposit` is the provider's in a sale, and empty where a card is charged. */
  card: z
    .object({
      provider: z.string(),
      direction: z.enum(["buy", "sell"]),
      reference: z.string(),
      redirectUrl: z.string(),
      /** As quoted, in the fiat instrument; orders of older versions lack them. */
      fees: z
        .object({ processing: fiatAmount, platform: fiatAmount, network: fiatAmount, marketValue: fiatAmount })
        .optional(),
    })
    .optional(),
});

/** A transaction that pays the order, keyed by what the chain calls it. */
const registeredSchema = z.object({ key: z.string(), amount: fromAmount });

const payoutSchema = z.object({
  received: fromAmount,
  amount: toAmount,
  gross: toAmount,
  platformFee: toAmount,
  networkFee: toAmount,
  price: z.string(),
  /** Set where a partner pays it: what the partner is sent. `amount` is what it should deliver. */
  partner: z.object({ code: z.string(), funding: fromAmount }).optional(),
});
/** A floating payout that waits for the customer, bound to the sum that it was made for; older ones lack `validUntil`. */
const offerSchema = payoutSchema.extend({ at: time, validUntil: time.optional() });
/** A refund: `amount` is what arrives, after the network fee. */
const refundSchema = z.object({ to: recipient, received: fromAmount, amount: fromAmount, networkFee: fromAmount });

const base = { terms: termsSchema, deposits: z.array(registeredSchema) };

/** One variant for each state, each holding exactly what is valid in it (engine law 2). */
const orderStateSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("awaiting_deposit"), ...base }),
  /** `isDeclined`: a card provider refused it, as a bank does with a card. */
  z.object({ kind: z.literal("expired"), ...base, isDeclined: z.boolean().optional() }),
  z.object({ kind: z.literal("confirming"), ...base, accepted: offerSchema.nullable() }),
  /** `offeredAt`: when the customer was last sent an offer or the end of one; orders of older versions lack it. */
  z.object({
    kind: z.literal("awaiting_choice"),
    ...base,
    offer: offerSchema.nullable(),
    offeredAt: time.optional(),
  }),
  z.object({
    kind: z.literal("paying"),
    ...base,
    payout: payoutSchema,
    accepted: offerSchema.nullable(),
    failed: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal("rerouting"), ...base, payout: payoutSchema, failed: z.array(z.string()) }),
  /** `market`: the prices at its end; orders of older versions lack it, and those that ended without prices. */
  z.object({
    kind: z.literal("completed"),
    ...base,
    payout: payoutSchema,
    accepted: offerSchema.nullable(),
    market: market.optional(),
    /** Of the payment that a card provider made. */
    txId: z.string().optional(),
  }),
  /** `heldUntil` while its owner may stop it (contract §3). */
  z.object({
    kind: z.literal("refund_requested"),
    ...base,
    to: recipient,
    networkFee: fromAmount,
    heldUntil: time.optional(),
    isStopped: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("refunding"), ...base, refund: refundSchema }),
  z.object({ kind: z.literal("refunded"), ...base, refund: refundSchema, market: market.optional() }),
]);

/**
 * Events of the API, and those that it does not list, because spec §4 has none for them.
 *
 * @internal Exported for its tests.
 */
export type DomainEventKind =
  | OrderEventKind
  | "REFUND_STARTED"
  | "REFUND_DELAYED"
  | "REFUND_STOPPED"
  | "REFUND_RELEASED"
  | "PROVIDER_FAILED"
  | "PROVIDER_CHANGED"
  | "PAYMENT_CORRECTED"
  | "EXPIRED";

/** Whether the order's owner sees events of this kind (spec §4); the others are our own. */
export const isPublicKind = (kind: string): kind is OrderEventKind => ORDER_EVENT_KINDS.some((known) => known === kind);

const eventData = {
  CREATION_END: z.object({ terms: termsSchema }),
  DEPOSIT_REGISTERED: z.object({ deposit: registeredSchema }),
  INCOMING_FUNDS_DETECTED: z.object({}),
  FUNDS_WITHDRAWAL_START: z.object({ payout: payoutSchema }),
  WITHDRAWAL_COMPLETED: z.object({ txId: z.string(), delivered: toAmount.optional(), market: market.optional() }),
  EXPIRED: z.object({ isDeclined: z.boolean().optional() }),
  PROVIDER_FAILED: z.object({ partner: z.string() }),
  PROVIDER_CHANGED: z.object({ payout: payoutSchema }),
  REFUND_REQUESTED: z.object({ to: recipient, networkFee: fromAmount, heldUntil: time.optional() }),
  REFUND_DELAYED: z.object({ heldUntil: time }),
  REFUND_STOPPED: z.object({}),
  REFUND_RELEASED: z.object({ to: recipient }),
  REFUND_STARTED: z.object({ refund: refundSchema }),
  /** What the chain shows that it was paid before it was decided what to pay, as after the restore of a backup. */
  PAYMENT_CORRECTED: z.discriminatedUnion("purpose", [
    z.object({ purpose: z.literal("payout"), txId: z.string(), amount: toAmount }),
    z.object({ purpose: z.literal("refund"), txId: z.string(), amount: fromAmount }),
  ]),
  REFUND_COMPLETED: z.object({ txId: z.string(), market: market.optional() }),
  RATE_MODE_CHANGED: z.object({ offer: offerSchema.nullable() }),
  RATE_MODE_CHANGE_ACCEPTED: z.object({ offer: offerSchema }),
  FIXED_RATE_HIGH_VOLATILITY_DETECTED: z.object({}),
  FIXED_RATE_SLOW_DEPOSIT_DETECTED: z.object({}),
  FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED: z.object({}),
} satisfies Record<DomainEventKind, z.ZodType>;

export type OrderTerms = z.output<typeof termsSchema>;
export type RegisteredDeposit = z.output<typeof registeredSchema>;
export type OrderPayout = z.output<typeof payoutSchema>;
export type Offer = z.output<typeof offerSchema>;
export type OrderRefund = z.output<typeof refundSchema>;
export type Recipient = z.output<typeof recipient>;
export type OrderState = z.output<typeof orderStateSchema>;

/** What happened to an order, with the data that evolve() needs. */
export type DomainEvent = {
  [Kind in DomainEventKind]: { kind: Kind; data: z.output<(typeof eventData)[Kind]>; at: Date };
}[DomainEventKind];

/** The state as its row stores it; `decodeState` reads it. */
export const encodeState = (state: OrderState): Record<string, unknown> => z.encode(orderStateSchema, state);

/** Reads a stored snapshot; throws when the row doesn't hold one. */
export const decodeState = (snapshot: unknown): OrderState => orderStateSchema.parse(snapshot);

/** The data of an event as its row stores it. */
export const encodeEventData = (event: DomainEvent): Record<string, unknown> => {
  const schema: z.ZodType = eventData[event.kind];
  return z.record(z.string(), z.unknown()).parse(z.encode(schema, event.data));
};
