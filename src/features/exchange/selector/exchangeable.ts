import type { Instrument } from "#contract/instrument.ts";
import type { Side } from "../model/page-query.ts";
import type { Catalogue } from "../store/state.ts";

/** The instruments that some pair has on this side. */
export function exchangeable({ instruments, pairs }: Catalogue, side: Side): Instrument[] {
  const slugs = new Set(side === "send" ? pairs.map(({ from }) => from) : pairs.flatMap(({ to }) => to));
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
