/** What a hot wallet holds of one instrument by the rows, and what may or may not have left it yet. */
export type Books = {
  /** By the ledger, in minor units. */
  expected: bigint;
  /** The sum of the payments that may be on the chain but are not in the ledger. */
  underWay: bigint;
  /** Of each payment that may have cost a network fee which is not in the ledger: what it was signed for, in the network's own coin. */
  unbookedFees: readonly bigint[];
  /** How many payments are signed and not final, whatever they pay. */
  unsettled: bigint;
  /** What those of this instrument pay, sweeps among them. */
  unsettledSum: bigint;
  /** How many others are not settled, of which no row says what they move. */
  unmeasured: bigint;
};

type Verdict = { kind: "agrees" } | { kind: "short"; by: bigint } | { kind: "surplus"; by: bigint };

/**
 * What payments may have cost beside the ledger; `usual` is the least that each may. A token's payment is signed for many times the coin's own.
 */
export const maxFees = ({ unbookedFees }: Pick<Books, "unbookedFees">, usual: bigint): bigint =>
  unbookedFees.reduce((sum, signed) => sum + (signed > usual ? signed : usual), 0n);

/** Compares a holding with the ledger; `fees` is the maximum that payments may have cost in this instrument beside it. */
export function compareHolding(books: Books, actual: bigint, fees: bigint): Verdict {
  const min = books.expected - books.underWay - fees;
  if (actual < min) return { kind: "short", by: min - actual };
  if (actual > books.expected) return { kind: "surplus", by: actual - books.expected };
  return { kind: "agrees" };
}

/** True when nothing is under way that could explain a surplus, such as a payment that a reorganisation took back. */
export const isQuiet = (books: Books): boolean => books.unsettled + books.unmeasured === 0n;

/**
 * The part of a surplus that no payment under way explains: each of them may have come back, or have brought what it sweeps, before its row
 * says so. What has left before its row says so only makes it less.
 */
export function certainSurplus(books: Books, surplus: bigint, fees: bigint): bigint {
  if (isQuiet(books)) return surplus;
  const explained = books.unsettledSum + fees;
  return books.unmeasured > 0n || surplus < explained ? 0n : surplus - explained;
}
