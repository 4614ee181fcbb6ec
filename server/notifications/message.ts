import * as z from "zod";

const amount = z.object({ amount: z.string(), slug: z.string() });
const base = { sourceKey: z.string(), destinationAddress: z.string() };

/**
 * A message to the customer of an order. Amounts are decimal strings; `sourceKey` names the event that caused it. It holds no secret:
 * the order's id and the customer's address are looked up when it is sent.
 */
export const orderMessageSchema = z.discriminatedUnion("topic", [
  z.object({
    topic: z.literal("created"),
    ...base,
    from: amount,
    to: amount,
    /** Null at a floating rate. */
    expiresAt: z.iso.datetime().nullable(),
    /** False when the email came after the deposit. */
    isDepositAwaited: z.boolean(),
  }),
  z.object({ topic: z.literal("deposit_seen"), ...base, received: amount, confirmations: z.int() }),
  z.object({ topic: z.literal("choice_needed"), ...base, received: amount }),
  z.object({ topic: z.literal("under_minimum"), ...base, received: amount }),
  z.object({ topic: z.literal("over_maximum"), ...base, received: amount }),
  z.object({
    topic: z.literal("payout_completed"),
    ...base,
    destinationMemo: z.string().nullish(),
    delivered: amount,
    txId: z.string(),
  }),
  z.object({ topic: z.literal("refund_requested"), ...base }),
  z.object({
    topic: z.literal("refund_delayed"),
    ...base,
    refundAddress: z.string(),
    refundMemo: z.string().nullish(),
    refundSlug: z.string().optional(),
    until: z.iso.datetime(),
    /** Made when it is sent, and never stored. */
    stopToken: z.string().optional(),
  }),
  z.object({ topic: z.literal("refund_completed"), ...base, returned: amount, txId: z.string() }),
]);

export type OrderMessage = z.infer<typeof orderMessageSchema>;
export type Topic = OrderMessage["topic"];

const MAIL_ONLY = ["created", "refund_requested"] as const satisfies readonly Topic[];
type MailOnlyTopic = (typeof MAIL_ONLY)[number];

/** True of what the customer does on the order's page: Telegram and push would only repeat it. */
export const isMailOnly = (topic: Topic): topic is MailOnlyTopic => MAIL_ONLY.some((one) => one === topic);
