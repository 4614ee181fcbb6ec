import { type AskedPair, listedPairs } from "#contract/site/listed-pairs.ts";
import { type Catalogue, type Coin, coinOf } from "./pair-rates.ts";

/** The pairs that send one coin, as slugs of `coins`. */
type DirectoryEntry = { readonly from: string; readonly to: readonly string[] };
export type PairDirectory = { readonly coins: readonly Coin[]; readonly entries: readonly DirectoryEntry[] };

/**
 * Every pair whose page search engines may keep, by the coin that is sent, in the catalogue's order: the sitemap lists no page that
 * nothing links to.
 */
export function pairDirectory(catalogue: Catalogue, asked: readonly AskedPair[]): PairDirectory {
  const { instruments } = catalogue;
  const rankOf = new Map(instruments.map(({ slug }, rank) => [slug, rank]));
  const inOrder = (slugs: Iterable<string>) =>
    [...slugs].toSorted((one, other) => (rankOf.get(one) ?? 0) - (rankOf.get(other) ?? 0));
  const bySent = Map.groupBy(listedPairs(catalogue, asked), ({ from }) => from);
  const entries = inOrder(bySent.keys()).map((from) => ({
    from,
    to: inOrder((bySent.get(from) ?? []).map(({ to }) => to)),
  }));
  const named = new Set(entries.flatMap(({ from, to }) => [from, ...to]));
  return { coins: instruments.filter(({ slug }) => named.has(slug)).map(coinOf), entries };
}
