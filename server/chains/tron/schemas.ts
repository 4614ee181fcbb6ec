import * as z from "zod";
import { base58OfHex } from "../addresses/trx.ts";
import type { BlockRef } from "../port.ts";

/** What a TRON node answers, as java-tron's documentation writes it. Fields of their type's zero are left out. */

const hex = z
  .string()
  .regex(/^([0-9a-f]{2})*$/i)
  .toLowerCase();

export const hashSchema = hex.length(64);

/** Sun, or any other count of 64 bits. */
const integerSchema = z.union([z.int(), z.bigint()]).transform(BigInt);
const countSchema = integerSchema.refine((value) => value >= 0n);

const timeSchema = z.int().nonnegative();

/** 21 bytes in hex, read into base58check. */
const addressSchema = hex.regex(/^41[0-9a-f]{40}$/).transform(base58OfHex);

const headerSchema = z.object({
  blockID: hashSchema,
  block_header: z.object({
    raw_data: z.object({
      number: z.int().nonnegative().default(0),
      parentHash: hashSchema,
      timestamp: timeSchema.default(0),
    }),
  }),
});

export type TronBlockRef = BlockRef & { timestamp: number };

const refOf = (block: z.infer<typeof headerSchema>): TronBlockRef => {
  const { number: height, parentHash, timestamp } = block.block_header.raw_data;
  return { height, hash: block.blockID, parentHash, timestamp };
};

const nothing = z.strictObject({}).transform(() => null);

/** A block's first eight bytes are its height: a node that mixes two blocks up is caught by them. */
const isOfItsHeight = ({ height, hash }: BlockRef): boolean => BigInt(`0x${hash.slice(0, 16)}`) === BigInt(height);

/** Null for `{}`: there is no such block. */
export const blockRefSchema = z.union([
  nothing,
  headerSchema.transform(refOf).refine(isOfItsHeight, "the block's id is not of its height"),
]);

const contractSchema = z.object({
  type: z.string(),
  parameter: z.object({ value: z.record(z.string(), z.unknown()) }),
});

const transactionSchema = z.object({
  txID: hashSchema,
  ret: z.array(z.object({ contractRet: z.string().optional() })).optional(),
  raw_data: z.object({ contract: z.array(contractSchema).min(1) }),
});
export type TronTransaction = z.infer<typeof transactionSchema>;

export const fullBlockSchema = z.union([
  nothing,
  headerSchema
    .extend({ transactions: z.array(transactionSchema).default([]) })
    .transform(({ transactions, ...header }) => ({
      ...refOf(header),
      transactions,
    })),
]);
export type TronBlock = NonNullable<z.infer<typeof fullBlockSchema>>;

/** A transaction that the node knows: one whose receipt it has given. */
export const sentSchema = transactionSchema;

/** A call of a contract; addresses are their last 20 bytes in hex, as its events have them. */
export const callSchema = z.object({
  owner_address: hex.length(42).transform((address) => address.slice(2)),
  contract_address: hex.length(42).transform((address) => address.slice(2)),
  data: hex.default(""),
});

export const transferSchema = z.object({ amount: countSchema, to_address: addressSchema });

export const senderSchema = z.object({ owner_address: addressSchema });

const logSchema = z.object({
  /** 20 bytes, without TRON's own first one. */
  address: hex.length(40),
  topics: z.array(hashSchema).default([]),
  data: hex.default(""),
});

export const infoSchema = z.object({
  id: hashSchema,
  fee: countSchema.default(0n),
  blockNumber: z.int().nonnegative(),
  /** FAILED, or left out. */
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: z.array(logSchema).default([]),
});
export type TronInfo = z.infer<typeof infoSchema>;

export const infoOrNothingSchema = z.union([nothing, infoSchema]);
export const knownSchema = z.union([nothing, z.object({ txID: hashSchema })]);

/** The ids of what waits in the node's pool; `{}` where nothing does. */
export const pendingIdsSchema = z.object({ txId: z.array(hashSchema).default([]) });
export const pendingSchema = z.union([nothing, transactionSchema]);

export const accountSchema = z.object({ balance: countSchema.default(0n) });

export const constantCallSchema = z.object({
  result: z.object({ result: z.boolean().default(false), code: z.string().optional(), message: z.string().optional() }),
  energy_used: countSchema.default(0n),
  constant_result: z.array(hex).default([]),
  transaction: z.object({ ret: z.array(z.object({ ret: z.string().optional() })).default([]) }).optional(),
});

export const parametersSchema = z
  .object({ chainParameter: z.array(z.object({ key: z.string(), value: integerSchema.default(0n) })) })
  .transform(({ chainParameter }) => new Map(chainParameter.map(({ key, value }) => [key, value])));

export const broadcastSchema = z.object({
  result: z.boolean().optional(),
  code: z.string().optional(),
  txid: hashSchema.optional(),
  message: z.string().optional(),
});
