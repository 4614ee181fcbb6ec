import type { BlockRef } from "../port.ts";

/** How many of the nodes that answer must show the same block: the configured number, else the majority. */
export const votesNeeded = (answering: number, configured: number | null): number =>
  configured ?? Math.floor(answering / 2) + 1;

/** The block that enough nodes show at a height, or null; a node that has none there votes with null. */
export function agreedBlock(votes: readonly (BlockRef | null)[], needed: number): BlockRef | null {
  for (const vote of votes)
    if (vote !== null && votes.filter((other) => other?.hash === vote.hash).length >= needed) return vote;
  return null;
}

/** The greatest height that so many of the nodes have reached; null where there are fewer nodes. */
export function reachedHeight(heights: readonly number[], needed: number): number | null {
  return heights.toSorted((one, other) => other - one)[needed - 1] ?? null;
}
