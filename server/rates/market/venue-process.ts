import type { CandleVenue, Venue } from "./port.ts";
import { openCcxtVenue, UnknownVenueError } from "./venue-ccxt.ts";
import { venueArgumentsSchema, venueRequestSchema, type VenueReport, type VenueRequest } from "./venue-messages.ts";

/** The process that reads the venues (`venue-child.ts` starts it). It ends with its parent, however that one dies. */
process.on("disconnect", () => process.exit(0));
// A terminal or a service manager signals the whole group: the parent says when to end.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => undefined);

const report = (one: VenueReport): void => void process.send?.(one, () => undefined);
const venues = new Map<string, Venue & CandleVenue>();
const given = venueArgumentsSchema.parse(JSON.parse(process.argv[2] ?? "[]"));
try {
  for (const { id, publicUrl } of given)
    venues.set(id, await openCcxtVenue({ id, ...(publicUrl !== undefined && { publicUrl }) }));
  process.on("message", (message) => void answer(venueRequestSchema.parse(message)));
  report({ kind: "ready" });
} catch (error) {
  if (!(error instanceof UnknownVenueError)) throw error;
  report({ kind: "unknown", venue: error.venue });
}

async function answer(request: VenueRequest): Promise<void> {
  const { id } = request;
  try {
    const venue = venues.get(request.venue);
    if (venue === undefined) throw new Error(`${request.venue} is not open`);
    report(request.kind === "prices" ? await prices(venue, request) : await candles(venue, request));
  } catch (error) {
    report({ kind: "failed", id, message: String(error) });
  }
}

async function prices(venue: Venue, { id, symbols }: VenueRequest): Promise<VenueReport> {
  const read = await venue.read(symbols);
  return {
    kind: "prices",
    id,
    prices: [...read].map(([symbol, { price, takenAt }]) => [symbol, price.toString(), takenAt.getTime()]),
  };
}

type CandleRequest = Extract<VenueRequest, { kind: "candles" }>;

async function candles(
  venue: CandleVenue,
  { id, symbols, timeframe, from, until }: CandleRequest,
): Promise<VenueReport> {
  const { symbol, opens } = await venue.candles(symbols, { timeframe, from: new Date(from), until: new Date(until) });
  return { kind: "candles", id, symbol, candles: [...opens].map(([at, price]) => [at, price.toString()]) };
}
