/** The business clock: expiries, rate locks and quotes are read from it; a chain's own time never is. */
export type Clock = { now(): Date };

/** A clock that the sandbox can move forward, for every process on the database (contract §7). */
export type MovableClock = Clock & {
  offsetSeconds(): number;
  advance(seconds: number): Promise<Date>;
  /** Reads the offset that another process may have stored. */
  refresh(): Promise<void>;
};
