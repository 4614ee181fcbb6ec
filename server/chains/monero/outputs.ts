import type { HotOutput } from "./answers.ts";

/** More would make a transaction that no block takes gladly. */
const MOST_INPUTS = 16;

/**
 * The outputs that a payment should spend: the smallest one that is enough by itself, else the largest ones together, else null.
 * `wanted` says what is needed, fee included, with so many inputs.
 */
export function chooseOutputs(free: readonly HotOutput[], wanted: (inputs: number) => bigint): HotOutput[] | null {
  const bySize = free.toSorted((one, other) => (one.amount < other.amount ? -1 : one.amount > other.amount ? 1 : 0));
  const single = bySize.find((output) => output.amount >= wanted(1));
  if (single !== undefined) return [single];
  const chosen: HotOutput[] = [];
  for (const output of bySize.reverse().slice(0, MOST_INPUTS)) {
    chosen.push(output);
    if (sumOf(chosen) >= wanted(chosen.length)) return chosen;
  }
  return null;
}

export const sumOf = (outputs: readonly HotOutput[]): bigint => outputs.reduce((sum, { amount }) => sum + amount, 0n);
