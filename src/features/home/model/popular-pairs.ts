import { type Catalogue, type RatedPair, unratedPair } from "./pair-rates.ts";

/** As many as a page can ask rates for at once. */
const SHOWN = 12;

/**
 * The pairs of the catalogue whose coins are both marked as popular there, those of the coins that it names first ahead; not yet
 * rated. The same coin on two networks is left out.
 */
export function popularPairs({ instruments, pairs }: Catalogue): RatedPair[] {
  const popular = instruments.filter(({ isPopular }) => isPopular);
  const rankOf = new Map(popular.map((instrument, rank) => [instrument.slug, { instrument, rank }]));
  return pairs
    .flatMap(({ from, to }) => to.map((other) => ({ from: rankOf.get(from), to: rankOf.get(other) })))
    .flatMap(({ from, to }) => (from === undefined || to === undefined ? [] : [{ from, to }]))
    .filter(({ from, to }) => from.instrument.currencyTitle !== to.instrument.currencyTitle)
    .sort((a, b) => a.from.rank + a.to.rank - (b.from.rank + b.to.rank) || a.from.rank - b.from.rank)
    .slice(0, SHOWN)
    .map(({ from, to }) => unratedPair(from.instrument, to.instrument));
}
