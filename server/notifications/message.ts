import * as z from "zod";

const sum = z.object({ amount: z.string(), slug: z.string() });
const base = { sourceKey: z.string(), destinationAddress: z.string() };

/**
 * What an order's owner is told. Amounts are decimal strings; `sourceKey` names what told it. No secret is in it: the order's id and
 * the owner's address are looked up when it is sent.
 */
export const ownerMessageSchema = z.discriminatedUnion("topic", [
  z.object({
    topic: z.literal("created"),
    ...base,
    give: sum,
    get: sum,
    /** Null at a floating rate. */
    expiresAt: z.iso.datetime().nullable(),
    /** False when the email came after the deposit. */
    isDepositAwaited: z.boolean(),
  }),
  z.object({ topic: z.literal("deposit_seen"), ...base, received: sum, confirmations: z.int() }),
  z.object({ topic: z.literal("choice_needed"), ...base, received: sum }),
  z.object({ topic: z.literal("under_minimum"), ...base, received: sum }),
  z.object({ topic: z.literal("over_maximum"), ...base, received: sum }),
  z.object({ topic: z.literal("payout_completed"), ...base, delivered: sum, txId: z.string() }),
  z.object({ topic: z.literal("refund_requested"), ...base }),
  z.object({ topic: z.literal("refund_completed"), ...base, returned: sum, txId: z.string() }),
]);

export type OwnerMessage = z.infer<typeof ownerMessageSchema>;
export type Topic = OwnerMessage["topic"];
