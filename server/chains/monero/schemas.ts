import * as z from "zod";

/** What monerod and monero-wallet-rpc answer, as their documents write it; whole numbers are bigints (`parseJsonExactly`). */

export const amountSchema = z.bigint().nonnegative();
export const indexSchema = z.bigint().nonnegative().max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
export const bytesSchema = z.string().regex(/^([0-9a-f]{2})+$/);

export const headerSchema = z.object({
  height: indexSchema,
  hash: hashSchema,
  prev_hash: hashSchema,
  timestamp: indexSchema.optional(),
});
export const headerAnswerSchema = z.object({ block_header: headerSchema });

export const blockSchema = z.object({ tx_hashes: z.array(hashSchema).default([]), miner_tx_hash: hashSchema });

export const transferSchema = z.object({
  txid: hashSchema,
  height: indexSchema,
  amount: amountSchema,
  address: z.string(),
  unlock_time: z.bigint(),
  subaddr_index: z.object({ major: indexSchema, minor: indexSchema }),
});
export type IncomingTransfer = z.infer<typeof transferSchema>;

export const outputSchema = z.object({
  amount: amountSchema,
  key_image: hashSchema,
  frozen: z.boolean(),
  unlocked: z.boolean(),
  block_height: indexSchema.optional(),
});
export type HotOutput = z.infer<typeof outputSchema>;

const transactionSchema = z.object({
  tx_hash: hashSchema,
  in_pool: z.boolean(),
  block_height: indexSchema.optional(),
  as_json: z.string(),
});
export const transactionsSchema = z.object({ status: z.literal("OK"), txs: z.array(transactionSchema).default([]) });

/** The part of a transaction's own JSON that says what it cost. */
export const feeSchema = z.object({ rct_signatures: z.object({ txnFee: amountSchema }) });

/** The part that says what it spent; what a miner is paid spends nothing. */
export const inputsSchema = z.object({ vin: z.array(z.object({ key: z.object({ k_image: hashSchema }) })) });

export const sentSchema = z.object({
  status: z.string(),
  reason: z.string().default(""),
  double_spend: z.boolean().default(false),
});

export const preparedSchema = z.object({
  tx_hash: hashSchema,
  tx_blob: bytesSchema,
  tx_key: bytesSchema,
  amount: amountSchema,
  fee: amountSchema,
  spent_key_images: z.object({ key_images: z.array(hashSchema).min(1) }),
});
export type SignedPayment = z.infer<typeof preparedSchema>;
