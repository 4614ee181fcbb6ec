import * as z from "zod/mini";
import { decimalSchema, slugSchema } from "./fields.ts";

/**
 * A coin on a network (spec §3, contract §2). `price` is in USD; `precisionDecimals` is the chain's own. `networkStandard` is that
 * of a token ("TRC20"); `payoutFee` is what sending it out costs now, in the coin itself. `blockSeconds` is the
 * average time between two blocks, `payoutSeconds` how long payouts take. Each is null where it is unknown.
 */
export const instrumentSchema = z.object({
  currencyTitle: z.string(),
  networkTitle: z.string(),
  slug: slugSchema,
  bestChangeName: z.nullable(z.string()),
  coinstatValue: z.nullable(z.string()),
  price: z.nullable(decimalSchema),
  currencyLogoLink: z.nullable(z.string()),
  currencyFriendlyTitle: z.string(),
  networkFriendlyTitle: z.string(),
  instrumentType: z.enum(["fiat", "other"]),
  requiresMemo: z.boolean(),
  precisionDecimals: z.int(),
  contractAddress: z.nullable(z.string()),
  isPopular: z.boolean(),
  explorerTx: z.nullable(z.string()),
  explorerAddress: z.nullable(z.string()),
  confirmations: z.int(),
  networkStandard: z._default(z.nullable(z.string()), null),
  payoutFee: z._default(z.nullable(decimalSchema), null),
  blockSeconds: z._default(z.nullable(z.number()), null),
  payoutSeconds: z._default(z.nullable(z.number()), null),
  /** Of a fiat instrument in what a card provider trades: the least that a purchase costs. */
  cardMinAmount: z.optional(z.nullable(decimalSchema)),
});
export type Instrument = z.infer<typeof instrumentSchema>;
export const instrumentsSchema = z.array(instrumentSchema);

/** Names an instrument inside a body (spec §3, create-order payload). */
export const instrumentRefSchema = z.object({
  currencyTitle: z.string().check(z.maxLength(64)),
  networkTitle: z.string().check(z.maxLength(64)),
  slug: slugSchema,
});

export const pairListSchema = z.array(z.object({ from: slugSchema, to: z.array(slugSchema) }));
export type PairList = z.infer<typeof pairListSchema>;

export const defaultPairSchema = z.object({ instrumentFrom: instrumentSchema, instrumentTo: instrumentSchema });

export const validateAddressBodySchema = z.object({
  currencyTitle: z.string().check(z.minLength(1), z.maxLength(64)),
  networkTitle: z.string().check(z.minLength(1), z.maxLength(64)),
  address: z.string().check(z.maxLength(512)),
  getRejectReason: z.optional(z.nullable(z.boolean())),
});
export const validateAddressAnswerSchema = z.object({ result: z.boolean(), code: z.nullable(z.string()) });
