import type { Instrument, PairList } from "#contract/instrument.ts";

const NETWORKS = [
  ["ETH", "Ethereum"],
  ["TRX", "Tron"],
  ["SOL", "Solana"],
  ["TON", "TON"],
  ["BNB", "BNB Chain"],
] as const;
const FIRST = ["Aero", "Blue", "Coin", "Delta", "Euro", "Flux", "Gold", "Helio", "Iron", "Jade"];
const SECOND = ["bridge", "cash", "dollar", "ether", "finance", "gas", "hash", "index", "joule", "kite"];

/** So many instruments as a big exchange has: the real ones first, then made-up coins on five networks each. */
export function manyInstruments(real: readonly Instrument[], count: number): Instrument[] {
  const [template] = real;
  if (template === undefined) throw new Error("no instrument to make others from");
  const made = Array.from({ length: Math.max(0, count - real.length) }, (_, index) => madeUp(template, index));
  return [...real, ...made];
}

/** Each real instrument against all of them, either way. */
export function pairsOf(real: readonly Instrument[], all: readonly Instrument[]): PairList {
  const others = (from: string) => all.flatMap(({ slug }) => (slug === from ? [] : [slug]));
  return real.map(({ slug: from }) => ({ from, to: others(from) }));
}

function madeUp(template: Instrument, index: number): Instrument {
  const coin = Math.floor(index / NETWORKS.length);
  const [networkTitle, networkFriendlyTitle] = NETWORKS[index % NETWORKS.length] ?? NETWORKS[0];
  const name = `${FIRST[coin % FIRST.length]}${SECOND[Math.floor(coin / FIRST.length) % SECOND.length]}`;
  const ticker = `${name.slice(0, 2)}${name.slice(-1)}${coin}`.toUpperCase();
  return {
    ...template,
    slug: `${ticker}-${networkTitle}`.toLowerCase(),
    currencyTitle: ticker,
    currencyFriendlyTitle: `${name} ${coin}`,
    networkTitle,
    networkFriendlyTitle,
    contractAddress: `0x${(index * 2_654_435_761).toString(16).padStart(40, "a")}`,
    isPopular: false,
  };
}
