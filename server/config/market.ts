import { z } from "zod";
import { ConfigError } from "../base/processes/startup-error.ts";
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

/** Throws `ConfigError` where the venues are too few to ever agree. */
export function marketConfig(value: Values<typeof marketVariables>): MarketConfig {
  const { MARKET_VENUES: venues = [], MARKET_MIN_VENUES: minVenues } = value;
  const different = new Set(venues).size;
  if (different > 0 && different < minVenues)
    throw new ConfigError(
      `MARKET_VENUES names ${different}, and MARKET_MIN_VENUES ${minVenues}: nothing would be quoted`,
    );
  return Object.freeze({ venues: Object.freeze(venues), minVenues });
}
