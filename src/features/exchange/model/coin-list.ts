import type { Instrument } from "#contract/instrument.ts";
import type { Side } from "./calculator-url.ts";
import type { Catalogue } from "../store/state.ts";

/** One coin with the networks that it can be had on. */
export type CoinGroup = { currencyTitle: string; friendlyTitle: string; instruments: Instrument[] };

/** Shorter pieces of a contract address would match too much. */
const ADDRESS_PIECE = 6;

/**
 * The instruments that a query names by coin, ticker, network, contract address or one of `otherNames` (lower case), the best first.
 * Every word of the query must be found; an empty query finds all, in the catalogue's order.
 */
export function searchInstruments(
  instruments: readonly Instrument[],
  query: string,
  otherNames: (instrument: Instrument) => readonly string[] = () => [],
): Instrument[] {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return instruments
    .map((instrument) => ({ instrument, rank: rankOf(instrument, words, otherNames(instrument)) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ instrument }) => instrument);
}

/** Groups instruments by coin, in the order in which each coin first appears. */
function groupByCoin(instruments: readonly Instrument[]): CoinGroup[] {
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
function rankOf(instrument: Instrument, words: readonly string[], otherNames: readonly string[]): number | null {
  let total = 0;
  for (const word of words) {
    const rank = wordRank(instrument, word) ?? (otherNames.some((name) => name.includes(word)) ? 5 : null);
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

/** One line of the list of coins: a coin's heading above its networks, or something that can be chosen. */
export type CoinRow =
  | { kind: "heading"; key: string; group: CoinGroup }
  | {
      kind: "option";
      key: string;
      instrument: Instrument;
      /** Under its coin's heading, as the first, a middle or the last of its networks; null where it stands alone. */
      underHeading: { isFirst: boolean; isLast: boolean } | null;
    };

/** The lines of a list; `isGrouped` puts a coin's networks under it, otherwise each stands alone in the given order. */
export function coinRows(instruments: readonly Instrument[], isGrouped: boolean): CoinRow[] {
  return isGrouped ? groupByCoin(instruments).flatMap(rowsOf) : instruments.map(alone);
}

/** The slugs that the arrow keys go through, in the order of the lines. */
export const slugsOfRows = (rows: readonly CoinRow[]): string[] =>
  rows.flatMap((row) => (row.kind === "option" ? [row.instrument.slug] : []));

function rowsOf(group: CoinGroup): CoinRow[] {
  const { instruments } = group;
  if (instruments.length === 1) return instruments.map(alone);
  return [
    { kind: "heading", key: `coin:${group.currencyTitle}`, group },
    ...instruments.map((instrument, index): CoinRow => {
      const underHeading = { isFirst: index === 0, isLast: index === instruments.length - 1 };
      return { kind: "option", key: instrument.slug, instrument, underHeading };
    }),
  ];
}

const alone = (instrument: Instrument): CoinRow => ({
  kind: "option",
  key: instrument.slug,
  instrument,
  underHeading: null,
});

/** The instruments that some pair has on this side. */
export function offeredOnSide({ instruments, pairs }: Catalogue, side: Side): Instrument[] {
  const slugs = new Set<string>();
  for (const { from, to } of pairs) {
    // Pairs are many: two thousand instruments make four million of them.
    if (slugs.size === instruments.length) break;
    for (const slug of side === "from" ? [from] : to) slugs.add(slug);
  }
  return instruments.filter(({ slug }) => slugs.has(slug));
}

export type Network = { networkTitle: string; name: string };

/** The networks of these instruments, each once. */
export function networksOf(instruments: readonly Instrument[]): Network[] {
  const names = new Map(
    instruments.map(({ networkTitle, networkFriendlyTitle }) => [networkTitle, networkFriendlyTitle]),
  );
  return [...names].map(([networkTitle, name]) => ({ networkTitle, name }));
}
