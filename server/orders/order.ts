import * as z from "zod";
import { ORDER_EVENT_KINDS, type OrderEventKind } from "#contract/order.ts";
import { toMinor, type Minor } from "#contract/money.ts";

const minor = <Side extends string>() =>
  z.codec(
    z.string().regex(/^[0-9]+$/),
    z.custom<Minor<Side>>((value) => typeof value === "bigint"),
    {
      decode: (text) => toMinor<Side>(BigInt(text)),
      encode: (amount) => amount.toString(),
    },
  );
const give = minor<"give">();
const get = minor<"get">();
const scaled = minor<"usd">();
const time = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const place = z.object({ address: z.string(), memo: z.string().nullable() });
const side = z.object({ slug: z.string(), networkTitle: z.string(), decimals: z.int() });
const market = z.object({ givePriceUsd: scaled, getPriceUsd: scaled });

/** What was agreed at creation. It never changes: precision, fees and bounds are frozen here (engine law 12). */
const termsSchema = z.object({
  rateMode: z.enum(["FIXED", "FLOATING"]),
  give: side,
  get: side,
  destination: place,
  refund: place.nullable(),
  deposit: place,
  claimedGive: give,
  quoted: z.object({ get, price: z.string(), platformFee: get, networkFee: get, market }),
  floatingFeeBps: scaled,
  spreadBps: scaled,
  minGive: give,
  maxGive: give.nullable(),
  requiredConfirmations: z.int(),
  createdAt: time,
  fixed: z.object({ expiresAt: time, volatilityBps: scaled, dustBps: scaled }).nullable(),
  /** Who quoted it, where that was a partner. */
  provider: z.string().optional(),
});

/** A transaction that pays the order, keyed by what the chain calls it. */
const registeredSchema = z.object({ key: z.string(), amount: give });

const payoutSchema = z.object({
  received: give,
  amount: get,
  gross: get,
  platformFee: get,
  networkFee: get,
  price: z.string(),
  /** Set where a partner pays it: what the partner is sent. The amount is what it is expected to deliver. */
  partner: z.object({ code: z.string(), funding: give }).optional(),
});
/** A floating payout that waits for its owner, bound to the sum that it was made for. */
const offerSchema = payoutSchema.extend({ at: time });
/** The deposit on its way back: `amount` is what arrives, the network fee already taken. */
const refundSchema = z.object({ to: place, received: give, amount: give, networkFee: give });

const base = { terms: termsSchema, deposits: z.array(registeredSchema) };

/** One variant for each state, each holding exactly what is valid in it (engine law 2). */
export const orderStateSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("awaiting_deposit"), ...base }),
  z.object({ kind: z.literal("confirming"), ...base, accepted: offerSchema.nullable() }),
  /** `askedAt`: when its owner was last told something new, an offer or the end of one; orders of older versions don't know. */
  z.object({
    kind: z.literal("awaiting_choice"),
    ...base,
    offer: offerSchema.nullable(),
    askedAt: time.optional(),
  }),
  z.object({
    kind: z.literal("paying"),
    ...base,
    payout: payoutSchema,
    accepted: offerSchema.nullable(),
    failed: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal("rerouting"), ...base, payout: payoutSchema, failed: z.array(z.string()) }),
  z.object({ kind: z.literal("completed"), ...base, payout: payoutSchema, accepted: offerSchema.nullable() }),
  z.object({ kind: z.literal("refund_requested"), ...base, to: place, networkFee: give }),
  z.object({ kind: z.literal("refunding"), ...base, refund: refundSchema }),
  z.object({ kind: z.literal("refunded"), ...base, refund: refundSchema }),
]);

/** What the owner is not told as an event of its own, because spec §4 has none for it. */
const INTERNAL_EVENT_KINDS = ["REFUND_STARTED", "PROVIDER_FAILED", "PROVIDER_CHANGED"] as const;
export const DOMAIN_EVENT_KINDS = [...ORDER_EVENT_KINDS, ...INTERNAL_EVENT_KINDS] as const;
export type DomainEventKind = (typeof DOMAIN_EVENT_KINDS)[number];
export const isPublicKind = (kind: string): kind is OrderEventKind => ORDER_EVENT_KINDS.some((known) => known === kind);

const eventData = {
  CREATION_END: z.object({ terms: termsSchema }),
  DEPOSIT_REGISTERED: z.object({ deposit: registeredSchema }),
  INCOMING_FUNDS_DETECTED: z.object({}),
  FUNDS_WITHDRAWAL_START: z.object({ payout: payoutSchema }),
  WITHDRAWAL_COMPLETED: z.object({ txId: z.string(), delivered: get.optional() }),
  PROVIDER_FAILED: z.object({ partner: z.string() }),
  PROVIDER_CHANGED: z.object({ payout: payoutSchema }),
  REFUND_REQUESTED: z.object({ to: place, networkFee: give }),
  REFUND_STARTED: z.object({ refund: refundSchema }),
  REFUND_COMPLETED: z.object({ txId: z.string() }),
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
export type Place = z.output<typeof place>;
export type OrderState = z.output<typeof orderStateSchema>;
export type StateKind = OrderState["kind"];

/** What happened to an order, with the data that evolve() needs. */
export type DomainEvent = {
  [Kind in DomainEventKind]: { kind: Kind; data: z.output<(typeof eventData)[Kind]>; at: Date };
}[DomainEventKind];

export const encodeState = (state: OrderState): Record<string, unknown> => z.encode(orderStateSchema, state);

/** Reads a stored snapshot; throws when the row doesn't hold one. */
export const decodeState = (snapshot: unknown): OrderState => orderStateSchema.parse(snapshot);

export const encodeEventData = (event: DomainEvent): Record<string, unknown> => {
  const schema: z.ZodType = eventData[event.kind];
  return z.record(z.string(), z.unknown()).parse(z.encode(schema, event.data));
};
