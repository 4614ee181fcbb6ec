import type { Instrument, PairList } from "#contract/instrument.ts";
import { divideDecimals } from "#contract/money.ts";

export type Catalogue = { readonly instruments: readonly Instrument[]; readonly pairs: PairList };

/** What a row names a coin by. */
export type Coin = Pick<
  Instrument,
  "slug" | "currencyTitle" | "currencyFriendlyTitle" | "networkTitle" | "networkFriendlyTitle" | "instrumentType"
>;

/** What one coin pays, all fees taken, and how much may be sent. */
type Rate = {
  readonly price: string;
  readonly min: string;
  readonly max: string | null;
  /** ISO-8601. */
  readonly updatedAt: string;
};

/** A pair and what it pays now; null while it has no rate. */
export type RatedPair = {
  readonly from: Coin;
  readonly to: Coin;
  /** The amount that the rate is requested for, worth about `REQUESTED_USD`; null for a coin without a price. */
  readonly requestedAmount: string | null;
  readonly rate: Rate | null;
};

/** Shown rates hold for this amount, since the network fee weighs more on a small exchange. */
export const REQUESTED_USD = "500";

/** How much of a coin is worth REQUESTED_USD, cut to some decimals; null when that is nothing. */
function requestedAmount(price: string, decimals: number): string | null {
  const amount = divideDecimals(REQUESTED_USD, price, decimals);
  return amount === "0" ? null : amount;
}

/** A pair whose rate has not been requested yet. */
const unratedPair = (from: Instrument, to: Instrument): RatedPair => ({
  from: coinOf(from),
  to: coinOf(to),
  requestedAmount: from.price === null ? null : requestedAmount(from.price, Math.min(6, from.precisionDecimals)),
  rate: null,
});

export const coinOf = ({
  slug,
  currencyTitle,
  currencyFriendlyTitle,
  networkTitle,
  networkFriendlyTitle,
  instrumentType,
}: Instrument): Coin => ({
  slug,
  currencyTitle,
  currencyFriendlyTitle,
  networkTitle,
  networkFriendlyTitle,
  instrumentType,
});

const MAX_RATES = 6;
const QUOTED_IN = "USDT";

/** The popular coins, all in one; not yet rated. */
export function ratedCoins({ instruments, pairs }: Catalogue): RatedPair[] {
  const to = instruments.find(
    ({ currencyTitle, slug }) => currencyTitle === QUOTED_IN && pairs.some((pair) => pair.to.includes(slug)),
  );
  if (to === undefined) return [];
  return instruments
    .filter(
      ({ currencyTitle, slug }) =>
        currencyTitle !== QUOTED_IN && pairs.some((pair) => pair.from === slug && pair.to.includes(to.slug)),
    )
    .sort((a, b) => Number(b.isPopular) - Number(a.isPopular))
    .slice(0, MAX_RATES)
    .map((from) => unratedPair(from, to));
}

/** As many as a page can ask rates for at once. */
const MAX_POPULAR = 12;

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
    .slice(0, MAX_POPULAR)
    .map(({ from, to }) => unratedPair(from.instrument, to.instrument));
}
