import * as z from "zod/mini";
import { decimalSchema, isoTimeSchema, slugSchema } from "./fields.ts";
import { PRICE_RANGES } from "./price-range.ts";

/** The lower-case `currencyTitle` of a coin. */
const coinSymbolSchema = z
  .string()
  .check(z.maxLength(32), z.regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/, "must be a coin's symbol such as btc"));

/** With `symbols` (with commas between them) those coins alone. */
export const pricesQuerySchema = z.object({ symbols: z.optional(z.string().check(z.maxLength(1024))) });

export const priceHistoryParamsSchema = z.object({ symbol: coinSymbolSchema });
export const priceHistoryQuerySchema = z.object({ range: z._default(z.enum(PRICE_RANGES), "24h") });

/** A percentage with at most two decimals, below zero for a fall. */
const changeSchema = z.nullable(z.string().check(z.regex(/^-?(?:0|[1-9]\d*)(?:\.\d{1,2})?$/)));

const coinPriceSchema = z.object({
  symbol: coinSymbolSchema,
  name: z.string(),
  /** Of its instruments, one for each network. */
  slugs: z.array(slugSchema),
  priceUsd: z.nullable(decimalSchema),
  change24h: changeSchema,
  change7d: changeSchema,
  /** Of the last 24 hours, oldest first; null for an hour without a price. */
  sparkline: z.array(z.nullable(decimalSchema)),
});
export type CoinPrice = z.infer<typeof coinPriceSchema>;

export const coinPricesSchema = z.array(coinPriceSchema);

export const priceHistorySchema = z.object({
  symbol: coinSymbolSchema,
  range: z.enum(PRICE_RANGES),
  /** Oldest first; a time without a price has no point. */
  points: z.array(z.tuple([isoTimeSchema, decimalSchema])),
  /** Of the newest price; null where there is none. */
  updatedAt: z.nullable(isoTimeSchema),
  /** Of the last 24 hours, whatever the range; null where they have no price. */
  day: z.nullable(z.object({ low: decimalSchema, high: decimalSchema })),
});
export type PriceHistoryAnswer = z.infer<typeof priceHistorySchema>;
