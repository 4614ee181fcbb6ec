import type { Venue } from "./port.ts";
import { openCcxtVenue, UnknownVenueError } from "./venue-ccxt.ts";
import { venueArgumentsSchema, venueRequestSchema, type VenueReport, type VenueRequest } from "./venue-messages.ts";

/** The process that reads the venues (`venue-child.ts` starts it). It ends with its parent, however that one dies. */
process.on("disconnect", () => process.exit(0));
// A terminal or a service manager signals the whole group: the parent says when to end.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => undefined);

const report = (one: VenueReport): void => void process.send?.(one, () => undefined);
const venues = new Map<string, Venue>();
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

async function answer({ id, venue, symbols }: VenueRequest): Promise<void> {
  try {
    const prices = await venues.get(venue)?.read(symbols);
    if (prices === undefined) throw new Error(`${venue} is not open`);
    report({
      kind: "prices",
      id,
      prices: [...prices].map(([symbol, { price, takenAt }]) => [symbol, price.toString(), takenAt.getTime()]),
    });
  } catch (error) {
    report({ kind: "failed", id, message: String(error) });
  }
}
