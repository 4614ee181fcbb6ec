/** What one statement looks up: a block of any size takes many short ones, none of which runs into its time limit. */
const AT_ONCE = 5_000;

/** Transfers that are recognised together: what they share is looked up once, and nobody else in the process waits for long. */
export const TRANSFERS_AT_ONCE = 20_000;

/** Parts of a list that a statement takes each. */
export function* chunksOf<One>(all: Iterable<One>, atOnce: number = AT_ONCE): Generator<One[]> {
  const list = Array.isArray(all) ? (all as readonly One[]) : [...all];
  for (let from = 0; from < list.length; from += atOnce) yield list.slice(from, from + atOnce);
}
