import * as z from "zod";
import { readExternalDecimal, WHOLE_BPS } from "#contract/money.ts";
import { StartupError } from "../../base/processes/startup-error.ts";
import { PRICE_DECIMALS } from "../../catalogue/index.ts";
import { CANDLES, type CandleVenue, type Venue, type VenuePrice } from "./port.ts";

const TIMEOUT_MS = 4_000;
/** The middle of a book wider than this, in hundredths of a percent of its bid, is not used. */
const MAX_SPREAD_BPS = 200n;

const price = z
  .string()
  .nullish()
  .transform((text) => (text ? readExternalDecimal(text, PRICE_DECIMALS) : null));
const tickersSchema = z.record(
  z.string(),
  z.object({ bid: price, ask: price, last: price, timestamp: z.int().nullish() }),
);

/** Time, first price and what else a candle has. */
const candlesSchema = z.array(z.tuple([z.int(), price], z.unknown()));

const librarySchema = z.object({ default: z.looseObject({ exchanges: z.array(z.string()) }) });

export type CcxtVenueOptions = {
  /** A venue's id in ccxt: kraken, bitstamp, coinbaseexchange … */
  id: string;
  /** Replaces the address of its public calls. */
  publicUrl?: string;
  now?: () => number;
};

/** A venue as ccxt reads it. Throws where ccxt doesn't know the id. The library is loaded by the first call: it weighs 100 MB. */
export async function openCcxtVenue({ id, publicUrl, now = Date.now }: CcxtVenueOptions): Promise<Venue & CandleVenue> {
  const exchange = await createExchange(id, {
    timeout: TIMEOUT_MS,
    // Prices stay decimal strings: no float ever touches money.
    number: String,
    ...(publicUrl !== undefined && { urls: { api: { public: publicUrl } } }),
  });
  const offeredOf = async (symbols: readonly string[]): Promise<string[]> => {
    // ccxt caches a failed load for ever unless it is asked to load again.
    await exchange.loadMarkets(exchange.markets === undefined);
    return symbols.filter(
      (symbol) => exchange.markets?.[symbol]?.active !== false && symbol in (exchange.markets ?? {}),
    );
  };
  return {
    name: id,
    async candles(symbols, { timeframe, from, until }) {
      const [symbol] = await offeredOf(symbols);
      const isShown = exchange.has["fetchOHLCV"] === true && timeframe in (exchange.timeframes ?? {});
      if (symbol === undefined || !isShown) return { symbol: null, opens: new Map() };
      const [first, end] = [from.getTime(), until.getTime()];
      const count = Math.round((end - first) / CANDLES[timeframe]);
      const candles = candlesSchema.parse(await exchange.fetchOHLCV(symbol, timeframe, first, count));
      // A venue that no longer has so old ones answers with others.
      const known = candles.filter(([at, open]) => at >= first && at < end && open !== null && open > 0n);
      return { symbol, opens: new Map(known.map(([at, open]) => [at, open ?? 0n])) };
    },
    async read(symbols) {
      const offered = await offeredOf(symbols);
      if (offered.length === 0) return new Map();
      return pricesOf(tickersSchema.parse(await exchange.fetchTickers(offered)), offered, now);
    },
  };
}

/** What we use of ccxt's exchanges; its own types take the compiler minutes. */
type Exchange = {
  markets: Record<string, { active?: boolean | undefined }> | undefined;
  loadMarkets(reload: boolean): Promise<unknown>;
  fetchTickers(symbols: string[]): Promise<unknown>;
  has: Record<string, unknown>;
  timeframes: Record<string, unknown> | undefined;
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<unknown>;
};

async function createExchange(id: string, options: Record<string, unknown>): Promise<Exchange> {
  const library = librarySchema.parse(await import(import.meta.resolve("ccxt")));
  const Exchange = library.default.exchanges.includes(id) ? library.default[id] : undefined;
  if (typeof Exchange !== "function") throw new UnknownVenueError(id);
  return Reflect.construct(Exchange, [options]);
}

export class UnknownVenueError extends StartupError {
  override name = "UnknownVenueError";
  readonly venue: string;

  constructor(venue: string) {
    super(`MARKET_VENUES: "${venue}" is no exchange that ccxt knows`);
    this.venue = venue;
  }
}

function pricesOf(
  tickers: z.infer<typeof tickersSchema>,
  symbols: readonly string[],
  now: () => number,
): Map<string, VenuePrice> {
  const prices = new Map<string, VenuePrice>();
  for (const symbol of symbols) {
    const ticker = tickers[symbol];
    if (!ticker) continue;
    const found = middle(ticker.bid, ticker.ask) ?? ticker.last;
    // A venue's clock that runs ahead must not extend its price's life.
    const takenAt = new Date(Math.min(ticker.timestamp ?? now(), now()));
    if (found !== null) prices.set(symbol, { price: found, takenAt });
  }
  return prices;
}

function middle(bid: bigint | null, ask: bigint | null): bigint | null {
  if (bid === null || ask === null || bid <= 0n || ask < bid) return null;
  return (ask - bid) * WHOLE_BPS > bid * MAX_SPREAD_BPS ? null : (bid + ask) / 2n;
}
