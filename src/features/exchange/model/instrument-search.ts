import type { Instrument } from "#contract/instrument.ts";

/** One coin with the networks that it can be had on. */
export type CoinGroup = { currencyTitle: string; friendlyTitle: string; instruments: Instrument[] };

/** Shorter pieces of a contract address would match too much. */
const ADDRESS_PIECE = 6;

/**
 * The instruments that a query names by coin, ticker, network or contract address, the best first.
 * Every word of the query must be found; an empty query finds all, in the catalogue's order.
 */
export function searchInstruments(instruments: readonly Instrument[], query: string): Instrument[] {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return instruments
    .map((instrument) => ({ instrument, rank: rankOf(instrument, words) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ instrument }) => instrument);
}

/** Groups instruments by coin, in the order in which each coin first appears. */
export function groupByCoin(instruments: readonly Instrument[]): CoinGroup[] {
  const groups = new Map<string, CoinGroup>();
  for (const instrument of instruments) {
    const { currencyTitle, currencyFriendlyTitle } = instrument;
    const group = groups.get(currencyTitle) ?? { currencyTitle, friendlyTitle: currencyFriendlyTitle, instruments: [] };
    group.instruments.push(instrument);
    groups.set(currencyTitle, group);
  }
  return [...groups.values()];
}

/** Sum of the words' ranks, lower is better; null when a word is found nowhere. */
function rankOf(instrument: Instrument, words: readonly string[]): number | null {
  let total = 0;
  for (const word of words) {
    const rank = wordRank(instrument, word);
    if (rank === null) return null;
    total += rank;
  }
  return total;
}

function wordRank(instrument: Instrument, word: string): number | null {
  const ticker = instrument.currencyTitle.toLowerCase();
  const name = instrument.currencyFriendlyTitle.toLowerCase();
  const networks = [instrument.networkTitle, instrument.networkFriendlyTitle, instrument.slug].map((text) =>
    text.toLowerCase(),
  );
  if (ticker === word || name === word) return 0;
  if (ticker.startsWith(word)) return 1;
  if (name.startsWith(word)) return 2;
  if (ticker.includes(word) || name.includes(word)) return 3;
  if (networks.some((network) => network.includes(word))) return 4;
  if (word.length >= ADDRESS_PIECE && instrument.contractAddress?.toLowerCase().startsWith(word)) return 5;
  return null;
}
