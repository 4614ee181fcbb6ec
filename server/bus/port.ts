/**
 * What a process may tell the others on its database. A hint says which rows to look at now and carries nothing else: the rows
 * stay the truth, and a hint that is lost costs time until the next turn, nothing more (engine law 1).
 */
export const INVALIDATIONS = ["price-snapshots", "prices", "work", "switches", "clock"] as const;
export type Invalidation = (typeof INVALIDATIONS)[number];

export type Bus = {
  /** Tells every other process; never waits and never fails. */
  tell(hint: Invalidation): void;
  /** Calls back when another process has told the hint, or may have while nothing could be heard. Gives what ends this. */
  on(hint: Invalidation, listener: () => void): () => void;
  close(): Promise<void>;
};
