import type { Instrument, PairList } from "../instrument.ts";

/** Coins that are popular beyond this rank of the catalogue make no pair popular: a catalogue that marks every coin is no crawl trap. */
const MAX_POPULAR = 40;
/** Exchanges after which a pair counts as asked for. */
export const ASKED_FOR_EXCHANGES = 5;

type Coin = Pick<Instrument, "slug" | "currencyTitle" | "isPopular">;
export type PairCatalogue = { readonly instruments: readonly Coin[]; readonly pairs: PairList };

/** A pair that customers exchange, and when they last did. */
export type AskedPair = { readonly from: string; readonly to: string; readonly lastAt: string };

export type ListedPair = { readonly from: string; readonly to: string; readonly lastAt: string | null };

/**
 * The pairs whose pages search engines may keep, of all that are offered: those of two popular coins, and those that customers ask
 * for. Every other pair has its page too, which says noindex, stands in no list and is linked with nofollow alone (2,000 coins would make four
 * million of them). A coin for itself on another network is listed only where it is asked for. What is asked for comes first.
 */
export function listedPairs({ instruments, pairs }: PairCatalogue, asked: readonly AskedPair[]): ListedPair[] {
  const offered = new Map(pairs.map(({ from, to }) => [from, new Set(to)]));
  const popular = popularCoins(instruments);
  const listed = new Map<string, ListedPair>();
  const add = (pair: ListedPair) => {
    const key = `${pair.from} ${pair.to}`;
    if (offered.get(pair.from)?.has(pair.to) === true && !listed.has(key)) listed.set(key, pair);
  };
  for (const pair of asked) add(pair);
  for (const from of popular)
    for (const to of popular) if (arePopular(from, to)) add({ from: from.slug, to: to.slug, lastAt: null });
  return [...listed.values()];
}

/** Whether a pair is one of `listedPairs`. */
export function isListedPair(
  { instruments, pairs }: PairCatalogue,
  { from, to, isAskedFor }: { readonly from: string; readonly to: string; readonly isAskedFor: boolean },
): boolean {
  if (pairs.find((pair) => pair.from === from)?.to.includes(to) !== true) return false;
  if (isAskedFor) return true;
  const popular = popularCoins(instruments);
  const [one, other] = [from, to].map((slug) => popular.find((coin) => coin.slug === slug));
  return one !== undefined && other !== undefined && arePopular(one, other);
}

const popularCoins = (instruments: readonly Coin[]): Coin[] =>
  instruments.filter(({ isPopular }) => isPopular).slice(0, MAX_POPULAR);

const arePopular = (from: Coin, to: Coin): boolean => from.currencyTitle !== to.currencyTitle;
