/** A price of a feed: USD scaled by 10^18, and its time there. */
export type MarketPrice = { usd: bigint; takenAt: Date };

/** A source of market prices. */
export type MarketFeed = {
  readonly name: string;
  /** How often it is read. */
  readonly refreshMs: number;
  /** How long a price may be used after it was taken; later it has expired. */
  readonly validMs: number;
  /** By slug; a slug that it does not know is left out. */
  read(): Promise<ReadonlyMap<string, MarketPrice>>;
};

/** What one venue shows of one market, USD (or the market's second coin) scaled by 10^18. */
export type VenuePrice = { price: bigint; takenAt: Date };

/** A public trading venue. */
export type Venue = {
  readonly name: string;
  /** By symbol (`ETH/USD`); a market that the venue doesn't have is left out. Throws when the venue doesn't answer. */
  read(symbols: readonly string[]): Promise<ReadonlyMap<string, VenuePrice>>;
};
