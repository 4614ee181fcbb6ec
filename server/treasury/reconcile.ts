/** What the rows say that a hot wallet holds of one instrument, and what may or may not have left it yet. */
export type Books = {
  /** By the ledger, in minor units. */
  expected: bigint;
  /** The sum of the payments that may be on the chain but are not in the ledger. */
  underWay: bigint;
  /** How many payments may have cost a network fee that is not in the ledger. */
  unbookedFees: bigint;
  /** How many payments are not final, whatever they pay. */
  unsettled: bigint;
};

export type Verdict = { kind: "agrees" } | { kind: "short"; by: bigint } | { kind: "surplus"; by: bigint };

/** Compares a holding with the books; `fee` is the most that one payment may have cost in this instrument. */
export function judgeHolding(books: Books, actual: bigint, fee: bigint): Verdict {
  const least = books.expected - books.underWay - books.unbookedFees * fee;
  if (actual < least) return { kind: "short", by: least - actual };
  if (actual > books.expected) return { kind: "surplus", by: actual - books.expected };
  return { kind: "agrees" };
}

/** True when nothing is under way that could explain a surplus, such as a payment that a reorganisation took back. */
export const isQuiet = (books: Books): boolean => books.unsettled === 0n;
