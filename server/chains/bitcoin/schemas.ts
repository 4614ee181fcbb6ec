import * as z from "zod";
import { parseAmount } from "#contract/money.ts";

/** What Bitcoin Core and its descendants answer. */

export const DECIMALS = 8;

export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
export const heightSchema = z.int().nonnegative();
export const hexSchema = z.string().regex(/^([0-9a-f]{2})*$/);

/** An amount as the text that the node wrote, in minor units. */
export const amountSchema = z.string().transform((text, context) => {
  const amount: bigint | null = parseAmount(text, DECIMALS);
  if (amount !== null) return amount;
  context.addIssue({ code: "custom", message: "is no amount" });
  return z.NEVER;
});

/** The same where it may be below zero. */
export const signedAmountSchema = z.string().transform((text, context) => {
  const amount: bigint | null = parseAmount(text.replace(/^-/, ""), DECIMALS);
  if (amount !== null) return text.startsWith("-") ? -amount : amount;
  context.addIssue({ code: "custom", message: "is no amount" });
  return z.NEVER;
});

export const chainInfoSchema = z.object({
  bestblockhash: hashSchema,
  /** Absent in Dogecoin Core. */
  initialblockdownload: z.boolean().optional(),
});

export const headerSchema = z.object({
  hash: hashSchema,
  height: heightSchema,
  /** The first block has none. */
  previousblockhash: hashSchema.optional(),
  /** In seconds. */
  time: heightSchema.optional(),
});

const outputSchema = z.object({
  n: heightSchema,
  value: amountSchema,
  scriptPubKey: z.object({ hex: hexSchema }),
});

/** Outputs inside Litecoin's extension block have neither script nor value that anyone could see. */
const hiddenOutputSchema = z.object({ ismweb: z.literal(true) });

/** A coinbase has neither; where a key signs alone, its public key is the last item. */
const inputSchema = z.object({
  txinwitness: z.array(hexSchema).optional(),
  scriptSig: z.object({ hex: hexSchema }).optional(),
});

export const blockSchema = headerSchema.extend({
  tx: z.array(
    z.object({
      txid: hashSchema,
      vin: z.array(inputSchema),
      vout: z.array(z.union([hiddenOutputSchema, outputSchema])),
    }),
  ),
});
export type Block = z.infer<typeof blockSchema>;

export const unspentSchema = z.object({
  txid: hashSchema,
  vout: heightSchema,
  amount: amountSchema,
  confirmations: z.int(),
  scriptPubKey: hexSchema,
});

export const walletTransactionSchema = z.object({
  txid: hashSchema,
  /** Below zero where a mined transaction spends the same. */
  confirmations: z.int(),
  blockhash: hashSchema.optional(),
  /** Below zero, and only there where the wallet's own coins were spent. */
  fee: signedAmountSchema.optional(),
  hex: hexSchema,
  walletconflicts: z.array(hashSchema),
});
export type WalletTransaction = z.infer<typeof walletTransactionSchema>;
