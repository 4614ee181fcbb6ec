import * as z from "zod/mini";
import { decimalSchema, slugSchema } from "./fields.ts";

/** Under a trillion of an instrument: sums of such amounts stay within what the ledger and the networks can count. */
const playAmountSchema = decimalSchema.check(z.regex(/^\d{1,12}(?:\.|$)/, "must be less than a trillion"));

/** `POST /sandbox/pay`: pays an order's deposit address from the sandbox's own wallet (contract §7). */
export const sandboxPayBodySchema = z.object({
  orderId: z.string().check(z.maxLength(64)),
  amount: z.optional(z.nullable(playAmountSchema)),
});
export const sandboxPayAnswerSchema = z.object({
  orderId: z.string(),
  txId: z.string(),
  amount: decimalSchema,
  instrument: slugSchema,
});

export const sandboxMarketBodySchema = z.object({ slug: slugSchema, price: playAmountSchema });
export const sandboxMarketAnswerSchema = z.object({ slug: slugSchema, price: decimalSchema });

export const sandboxClockBodySchema = z.object({
  advanceSeconds: z.int().check(z.minimum(0), z.maximum(366 * 86_400)),
});
export const sandboxClockAnswerSchema = z.object({ now: z.iso.datetime(), offsetSeconds: z.number() });

export const sandboxNetworkParamsSchema = z.object({ networkTitle: z.string() });
export const sandboxNetworkBodySchema = z.union([
  z.strictObject({ mine: z.int().check(z.minimum(1), z.maximum(1000)) }),
  z.strictObject({ paused: z.boolean() }),
  /** What blocks ask for, in percent of the usual fee; simulated networks only. */
  z.strictObject({ fees: z.int().check(z.minimum(1), z.maximum(100_000)) }),
  z.strictObject({ reorg: z.int().check(z.minimum(1), z.maximum(64)) }),
]);
export type SandboxNetworkCommand = z.infer<typeof sandboxNetworkBodySchema>;

/** `GET /sandbox/mail`: what was mailed, newest first (contract §7). */
export const sandboxMailAnswerSchema = z.array(
  z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    locale: z.string(),
    /** Null in a mail about an account. */
    orderId: z.nullable(z.string()),
    at: z.iso.datetime(),
  }),
);

/** Of the instrument that earnings are counted in. */
export const sandboxCreditBodySchema = z.object({ userId: z.int().check(z.minimum(1)), amount: playAmountSchema });
export const sandboxCreditAnswerSchema = z.object({
  userId: z.int(),
  amount: decimalSchema,
  instrument: slugSchema,
  balance: decimalSchema,
});

export const sandboxNetworkAnswerSchema = z.object({ networkTitle: z.string(), did: z.string(), height: z.int() });
