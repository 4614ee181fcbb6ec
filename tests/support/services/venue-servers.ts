import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";

/** A market's book and last trade, as decimal strings. */
export type Ticker = { bid: string; ask: string; last: string };
/** What a market cost in the beginning of a candle: seconds since 1970, and a decimal string. */
export type Candle = readonly [at: number, open: string];

export type VenueServer = AsyncDisposable & {
  readonly url: string;
  /** By market, like `ETH/USD`. */
  readonly tickers: Map<string, Ticker>;
  /** By market and seconds of a candle, like `ETH/USD 3600`. */
  readonly candles: Map<string, readonly Candle[]>;
  /** Answers with an error instead, or not at all. */
  mode: "good" | "failing" | "silent" | "garbage";
  readonly requests: string[];
};

/** As many candles as Kraken shows of a market, whatever is asked for. */
const KRAKEN_CANDLES = 720;

/** A local server that speaks Kraken's public calls Assets, AssetPairs, Ticker and OHLC. */
export const startKraken = (tickers: Record<string, Ticker>): Promise<VenueServer> =>
  start(tickers, (path, markets, candles) => {
    const ids = new Map([...markets].map(([symbol, ticker]) => [symbol.replace("/", ""), { symbol, ticker }]));
    if (path.pathname === "/0/public/Assets") return { error: [], result: {} };
    if (path.pathname === "/0/public/AssetPairs") {
      const pairs = [...ids].map(([id, { symbol }]) => {
        const [base, quote] = symbol.split("/");
        const precision = {
          pair_decimals: 5,
          cost_decimals: 5,
          lot_decimals: 8,
          tick_size: "0.00001",
          ordermin: "0.01",
        };
        return [id, { altname: id, wsname: symbol, base, quote, status: "online", lot_multiplier: 1, ...precision }];
      });
      return { error: [], result: Object.fromEntries(pairs) };
    }
    if (path.pathname === "/0/public/OHLC") {
      const id = path.searchParams.get("pair") ?? "";
      const seconds = Number(path.searchParams.get("interval")) * 60;
      const since = Number(path.searchParams.get("since") ?? 0);
      const known = candles.get(`${ids.get(id)?.symbol} ${seconds}`) ?? [];
      const shown = known.slice(-KRAKEN_CANDLES).filter(([at]) => at > since);
      const rows = shown.map(([at, open]) => [at, open, open, open, open, open, "1.0", 1]);
      return { error: [], result: { [id]: rows, last: shown.at(-1)?.[0] ?? 0 } };
    }
    if (path.pathname !== "/0/public/Ticker") return null;
    const asked = path.searchParams.get("pair")?.split(",") ?? [];
    const tickers = asked.flatMap((id) => {
      const ticker = ids.get(id)?.ticker;
      return ticker ? [[id, { a: [ticker.ask, "1", "1"], b: [ticker.bid, "1", "1"], c: [ticker.last, "1"] }]] : [];
    });
    return { error: [], result: Object.fromEntries(tickers) };
  });

/** A local server that speaks Bitstamp's public calls currencies, markets, ticker and ohlc. */
export const startBitstamp = (tickers: Record<string, Ticker>): Promise<VenueServer> =>
  start(tickers, (path, markets, candles) => {
    if (path.pathname === "/v2/currencies/") return [];
    if (path.pathname === "/v2/markets/")
      return [...markets.keys()].map((symbol) => {
        const [base_currency, counter_currency] = symbol.split("/");
        const market_symbol = symbol.replace("/", "").toLowerCase();
        const rules = { base_decimals: 8, counter_decimals: 5, minimum_order_value: "10", trading: "Enabled" };
        return {
          name: symbol,
          market_symbol,
          base_currency,
          counter_currency,
          market_type: "SPOT",
          description: symbol,
          ...rules,
        };
      });
    const [, market] = /^\/v2\/ohlc\/(\w+)\/$/.exec(path.pathname) ?? [];
    if (market !== undefined) {
      const pair = [...markets.keys()].find((symbol) => symbol.replace("/", "").toLowerCase() === market) ?? "";
      const [start, end, step] = ["start", "end", "step"].map((name) => Number(path.searchParams.get(name)));
      const known = candles.get(`${pair} ${step}`) ?? [];
      const shown = known.filter(([at]) => at >= (start ?? 0) && at <= (end ?? 0));
      const ohlc = shown.map(([at, open]) => {
        const prices = { open, high: open, low: open, close: open };
        return { timestamp: `${at}`, ...prices, volume: "1.0" };
      });
      return { data: { pair, ohlc } };
    }
    if (path.pathname !== "/v2/ticker/") return null;
    return [...markets].map(([pair, ticker]) => ({ ...ticker, pair, timestamp: `${Math.floor(Date.now() / 1000)}` }));
  });

type Answer = (
  path: URL,
  markets: ReadonlyMap<string, Ticker>,
  candles: ReadonlyMap<string, readonly Candle[]>,
) => unknown;

async function start(given: Record<string, Ticker>, answer: Answer): Promise<VenueServer> {
  const tickers = new Map(Object.entries(given));
  const candles = new Map<string, readonly Candle[]>();
  const listener: RequestListener = (request, response) => {
    const path = new URL(request.url ?? "/", "http://venue");
    venue.requests.push(path.pathname);
    if (venue.mode === "silent") return;
    const body = venue.mode === "failing" ? null : answer(path, tickers, candles);
    response.writeHead(body === null ? 503 : 200, { "content-type": "application/json" });
    response.end(venue.mode === "garbage" ? '{"error":[],"result":{"ETHUSD":{"a":7}}}' : JSON.stringify(body));
  };
  const server: Server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the venue has no address");
  const venue: VenueServer = {
    url: `http://127.0.0.1:${address.port}`,
    tickers,
    candles,
    mode: "good",
    requests: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return venue;
}
