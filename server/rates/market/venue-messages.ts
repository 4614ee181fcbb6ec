import { z } from "zod";

const asked = { id: z.int(), venue: z.string(), symbols: z.array(z.string()) };
const time = z.int().min(0).max(8.64e15);

/** A request for the prices of one venue's markets, or for the candles of the first of them that it has. */
export const venueRequestSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("prices"), ...asked }),
  z.object({ kind: z.literal("candles"), ...asked, timeframe: z.enum(["1m", "1h", "1d"]), from: time, until: time }),
]);
export type VenueRequest = z.infer<typeof venueRequestSchema>;

const MAX_MARKETS = 10_000;
const MAX_CANDLES = 10_000;
/** USD scaled by 10^18. */
const digits = z.string().regex(/^\d{1,60}$/);
const MAX_MESSAGE = 300;

/** What the venues' process reports. It runs a library that we don't trust, so each value has a bound. */
export const venueReportSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("unknown"), venue: z.string().max(100) }),
  z.object({
    kind: z.literal("prices"),
    id: z.int(),
    /** Symbol; price; milliseconds since 1970. */
    prices: z.array(z.tuple([z.string().max(100), digits, time])).max(MAX_MARKETS),
  }),
  z.object({
    kind: z.literal("candles"),
    id: z.int(),
    symbol: z.string().max(100).nullable(),
    /** Milliseconds since 1970, and the price at that moment. */
    candles: z.array(z.tuple([time, digits])).max(MAX_CANDLES),
  }),
  z.object({
    kind: z.literal("failed"),
    id: z.int(),
    message: z.string().transform((text) => text.slice(0, MAX_MESSAGE)),
  }),
]);
export type VenueReport = z.infer<typeof venueReportSchema>;

/** The arguments of the venues' process: ids of ccxt, each with the address of its public calls where that is replaced. */
export const venueArgumentsSchema = z.array(z.object({ id: z.string(), publicUrl: z.string().optional() }));
export type VenueArguments = z.infer<typeof venueArgumentsSchema>;
