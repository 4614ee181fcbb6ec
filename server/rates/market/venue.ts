/** What one venue shows of one market, USD (or the market's second coin) scaled by 10^18. */
export type VenuePrice = { price: bigint; takenAt: Date };

/** A place where coins are traded against each other in public. */
export type Venue = {
  readonly name: string;
  /** By symbol (`ETH/USD`); a market that the venue doesn't have is left out. Throws when the venue doesn't answer. */
  read(symbols: readonly string[]): Promise<ReadonlyMap<string, VenuePrice>>;
};
