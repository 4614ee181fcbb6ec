import { getAddress } from "viem";
import * as z from "zod";

/** What an Ethereum node answers, as the JSON-RPC specification writes it. */

const hex = /^0x[0-9a-f]*$/i;
const lower = z.string().toLowerCase();

export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform((text) => BigInt(text));

export const heightSchema = quantitySchema.transform((value, context) => {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  context.addIssue({ code: "custom", message: "the height is beyond any chain" });
  return z.NEVER;
});

export const bytesSchema = z.string().regex(hex);
export const hashSchema = lower.regex(/^0x[0-9a-f]{64}$/);

export const addressSchema = lower.regex(/^0x[0-9a-f]{40}$/).transform((text) => getAddress(text));

export const blockRefSchema = z.object({
  number: heightSchema,
  hash: hashSchema,
  parentHash: hashSchema,
  timestamp: heightSchema.optional(),
});

const transactionSchema = z.object({
  hash: hashSchema,
  from: addressSchema,
  to: addressSchema.nullish(),
  value: quantitySchema,
  type: z.string().nullish(),
  input: z.string().nullish(),
});

export const fullBlockSchema = blockRefSchema.extend({ transactions: z.array(transactionSchema) });
export type FullBlock = z.infer<typeof fullBlockSchema>;

export const feeBlockSchema = z.object({ baseFeePerGas: quantitySchema.nullish() });

export const receiptSchema = z.object({
  transactionHash: hashSchema,
  blockHash: hashSchema,
  blockNumber: heightSchema,
  status: quantitySchema.transform((status) => status === 1n),
  gasUsed: quantitySchema,
  effectiveGasPrice: quantitySchema,
});
export type Receipt = z.infer<typeof receiptSchema>;

export const logSchema = z.object({
  address: addressSchema,
  topics: z.array(hashSchema),
  data: bytesSchema,
  blockHash: hashSchema,
  transactionHash: hashSchema,
  logIndex: heightSchema,
  removed: z.boolean().nullish(),
});
export type Log = z.infer<typeof logSchema>;

/** The receipt of a transaction of ours, with the contract that it called and what that says. */
export const sentReceiptSchema = receiptSchema.extend({ to: addressSchema.nullish(), logs: z.array(logSchema) });
export type SentReceipt = z.infer<typeof sentReceiptSchema>;
export const sentTransactionSchema = z.object({ from: addressSchema, input: bytesSchema });
