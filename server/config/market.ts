import { z } from "zod";
import { count, type Values } from "./values.ts";

export const marketVariables = {
  MARKET_VENUES: z
    .string()
    .regex(/^\s*[a-z0-9_]+(\s*,\s*[a-z0-9_]+)*\s*$/, "must be ids of ccxt with commas between them")
    .transform((text) => text.split(",").map((name) => name.trim()))
    .optional(),
  MARKET_MIN_VENUES: count().default(2),
};

export type MarketConfig = Readonly<{
  /** Where prices come from. Empty: the sandbox's own market; outside the sandbox nothing is quoted. */
  venues: readonly string[];
  /** Venues that must agree on a price. */
  minVenues: number;
}>;

export const marketConfig = (value: Values<typeof marketVariables>): MarketConfig =>
  Object.freeze({ venues: Object.freeze(value.MARKET_VENUES ?? []), minVenues: value.MARKET_MIN_VENUES });
