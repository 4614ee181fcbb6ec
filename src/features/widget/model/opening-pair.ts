import type { PairList } from "#contract/instrument.ts";
import { formatPairSlug } from "#contract/links/pair-slug.ts";

type Pair = { readonly from: string; readonly to: string };

/** The pairs of a list that are named as `eth-btc`; all of them where none of the names is known. */
export function limitPairs(pairs: PairList, names: readonly string[]): PairList {
  const wanted = new Set(names);
  const limited = pairs
    .map(({ from, to }) => ({ from, to: to.filter((slug) => wanted.has(formatPairSlug({ from, to: slug }))) }))
    .filter(({ to }) => to.length > 0);
  return limited.length === 0 ? pairs : limited;
}

/** The pair that a widget opens with: what was asked for as far as it is offered, else the default one, else the first. */
export function openingPair(
  pairs: PairList,
  asked: Partial<Record<"from" | "to", string | null>>,
  otherwise: Pair,
): Pair {
  const offered = pairs.flatMap(({ from, to }) => to.map((slug) => ({ from, to: slug })));
  const fits = ({ from, to }: Pair) => (asked.from ?? from) === from && (asked.to ?? to) === to;
  const isDefault = ({ from, to }: Pair) => from === otherwise.from && to === otherwise.to;
  const fitting = offered.filter(fits);
  // With one side asked for, the other one of the default pair is the likeliest.
  const likeliest = fitting.find(({ from, to }) => from === otherwise.from || to === otherwise.to);
  return fitting.find(isDefault) ?? likeliest ?? fitting[0] ?? offered.find(isDefault) ?? offered[0] ?? otherwise;
}
