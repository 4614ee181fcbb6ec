import type { Instrument } from "#contract/instrument.ts";
import { type CoinPrice, PRICE_RANGES, type PriceHistoryAnswer, type PriceRange } from "#contract/prices.ts";
import type { Api } from "#contract/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import type { Loaded, LocalLoadInput } from "../../shared/page/page-context.ts";

/** What a coin's mark is drawn from. */
export type Mark = Pick<Instrument, "currencyTitle" | "networkTitle" | "instrumentType">;
export type ListedCoin = CoinPrice & { readonly ticker: string; readonly mark: Mark };
export type PriceListData = { readonly coins: readonly ListedCoin[] };

/** `/price`: every coin with its price. */
export async function loadPriceList(api: Api): Promise<PriceListData> {
  const [coins, instruments] = await Promise.all([api.call("prices"), api.call("instruments", { query: {} })]);
  return { coins: listed(coins, instruments) };
}

function listed(coins: readonly CoinPrice[], instruments: readonly Instrument[]): ListedCoin[] {
  return coins.flatMap((coin) => {
    const first = instruments.find(({ slug }) => slug === coin.slugs[0]);
    if (first === undefined) return [];
    const { currencyTitle, networkTitle, instrumentType } = first;
    return [{ ...coin, ticker: currencyTitle, mark: { currencyTitle, networkTitle, instrumentType } }];
  });
}

/** The range of a page whose URL names none. */
const FIRST_RANGE: PriceRange = "7d";

export type CoinPageData = {
  readonly coin: ListedCoin;
  /** The coin on each of its networks. */
  readonly networks: readonly Instrument[];
  readonly history: PriceHistoryAnswer;
  /** Other coins to exchange it for. */
  readonly related: readonly { readonly coin: ListedCoin; readonly from: string; readonly to: string }[];
};

const RELATED = 4;

/** `/price/{symbol}`; a coin that is not traded is not found. */
export async function loadCoin({ params, query, api }: LocalLoadInput): Promise<Loaded<CoinPageData>> {
  const symbol = params["symbol"] ?? "";
  const range = PRICE_RANGES.find((known) => known === query.get("range")) ?? FIRST_RANGE;
  const [coins, instruments, pairs] = await Promise.all([
    api.call("prices"),
    api.call("instruments", { query: {} }),
    api.call("pairs"),
  ]);
  const all = listed(coins, instruments);
  const coin = all.find((one) => one.symbol === symbol);
  if (coin === undefined) return { kind: "notFound" };
  const history = await historyOf(api, symbol, range);
  const related = all
    .filter((other) => other.symbol !== symbol)
    .flatMap((other) => {
      const pair = pairs.find(({ from }) => coin.slugs.includes(from));
      const to = pair?.to.find((slug) => other.slugs.includes(slug));
      return pair === undefined || to === undefined ? [] : [{ coin: other, from: pair.from, to }];
    })
    .slice(0, RELATED);
  const networks = instruments.filter(({ slug }) => coin.slugs.includes(slug));
  return { kind: "page", data: { coin, networks, history, related } };
}

/** A chart that can't be had now leaves the page as it is. */
async function historyOf(api: Api, symbol: string, range: PriceRange): Promise<PriceHistoryAnswer> {
  try {
    return await api.call("priceHistory", { params: { symbol }, query: { range } });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("a coin's price history can't be read", symbol, error.message);
    return { symbol, range, points: [], updatedAt: null };
  }
}
