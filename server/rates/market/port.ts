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

export const CANDLES = { "1m": 60_000, "1h": 3_600_000, "1d": 86_400_000 } as const;
export type CandleTimeframe = keyof typeof CANDLES;

/** From `from` on, before `until`; both begin a candle. */
export type CandleTime = { timeframe: CandleTimeframe; from: Date; until: Date };

/** The prices at the beginning of candles, by milliseconds since 1970, of a market; `symbol` is null where the venue has none of those asked for. */
export type VenueCandles = { symbol: string | null; opens: ReadonlyMap<number, bigint> };

/** A venue that shows its history. */
export type CandleVenue = {
  readonly name: string;
  /** Of the first of these markets that the venue has; what it no longer shows is left out. Throws when the venue doesn't answer. */
  candles(symbols: readonly string[], time: CandleTime): Promise<VenueCandles>;
};

/**
 * What a coin cost at the beginning of each candle, USD scaled by 10^18, by milliseconds since 1970; a time that nobody knows is left
 * out. `isWhole` when every venue has answered: otherwise one that was away may know more. Throws where no venue answers.
 */
export type CandleReader = (
  currencyTitle: string,
  time: CandleTime,
) => Promise<{ prices: ReadonlyMap<number, bigint>; isWhole: boolean }>;
