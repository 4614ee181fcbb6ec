import {
  coinPricesSchema,
  priceHistoryParamsSchema,
  priceHistoryQuerySchema,
  priceHistorySchema,
  pricesQuerySchema,
} from "../prices.ts";
import type { Call } from "./call.ts";

/** Prices of coins, now and before (contract §12). */
export const priceCalls = {
  prices: {
    method: "GET",
    path: "/api/v1/prices/public",
    summary: "Every coin with its price in USD, how it has changed, and its last 24 hours",
    timeoutMs: 10_000,
    query: pricesQuerySchema,
    answer: coinPricesSchema,
  },
  priceHistory: {
    method: "GET",
    path: "/api/v1/prices/public/:symbol",
    summary: "The prices of a coin over a range of time",
    timeoutMs: 10_000,
    params: priceHistoryParamsSchema,
    query: priceHistoryQuerySchema,
    answer: priceHistorySchema,
  },
} as const satisfies Record<string, Call>;
