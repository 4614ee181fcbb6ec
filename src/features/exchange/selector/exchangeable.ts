import type { Instrument } from "#contract/instrument.ts";
import type { Side } from "../model/page-query.ts";
import type { Catalogue } from "../store/state.ts";

/** The instruments that some pair has on this side. */
export function exchangeable({ instruments, pairs }: Catalogue, side: Side): Instrument[] {
  const slugs = new Set<string>();
  for (const { from, to } of pairs) {
    // Pairs are many: two thousand instruments make four million of them.
    if (slugs.size === instruments.length) break;
    for (const slug of side === "send" ? [from] : to) slugs.add(slug);
  }
  return instruments.filter(({ slug }) => slugs.has(slug));
}

/** All money of states that the catalogue knows, whether or not some pair has it. */
export const fiatOf = ({ instruments }: Catalogue): Instrument[] =>
  instruments.filter(({ instrumentType }) => instrumentType === "fiat");

export type Network = { networkTitle: string; name: string };

/** The networks of these instruments, each once. */
export function networksOf(instruments: readonly Instrument[]): Network[] {
  const names = new Map(
    instruments.map(({ networkTitle, networkFriendlyTitle }) => [networkTitle, networkFriendlyTitle]),
  );
  return [...names].map(([networkTitle, name]) => ({ networkTitle, name }));
}
