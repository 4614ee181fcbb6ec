import type { Instrument } from "#contract/instrument.ts";
import { PRICE_RANGES, type PriceRange } from "#contract/price-range.ts";
import type { CoinPrice, PriceHistoryAnswer } from "#contract/prices.ts";
import type { RateRequest } from "#contract/rate.ts";
import type { Api } from "#contract/site/ssr.ts";
import { type AskedPair, isListedPair } from "#contract/site/listed-pairs.ts";
import { CallError } from "../../shared/http/call-error.ts";
import type { Loaded, LocalLoadInput } from "../../shared/page/page-context.ts";
import { isPage } from "./model/pages.ts";

/** What a coin's mark is drawn from. */
type Mark = Pick<Instrument, "currencyTitle" | "networkTitle" | "instrumentType">;
export type ListedCoin = CoinPrice & { readonly ticker: string; readonly mark: Mark };
export type PriceListData = { readonly coins: readonly ListedCoin[] };
export type PricePageData = PriceListData & { readonly page: number };

/** `/price`: every coin with its price. */
export async function loadPriceList(api: Api): Promise<PriceListData> {
  const [coins, instruments] = await Promise.all([
    api.call("prices", { query: {} }),
    api.call("instruments", { query: {} }),
  ]);
  return { coins: listed(coins, instruments) };
}

/** One of its pages; null is the first. A page that there is not is not found. */
export async function loadPricePage(api: Api, page: string | null): Promise<Loaded<PricePageData>> {
  const data = await loadPriceList(api);
  if (!isPage(data.coins.length, page)) return { kind: "notFound" };
  return { kind: "page", data: { ...data, page: Number(page ?? 1) } };
}

function listed(coins: readonly CoinPrice[], instruments: readonly Instrument[]): ListedCoin[] {
  return coins.flatMap((coin) => {
    const first = instruments.find(({ slug }) => slug === coin.slugs[0]);
    if (first === undefined) return [];
    const { currencyTitle, networkTitle, instrumentType } = first;
    return [{ ...coin, ticker: currencyTitle, mark: { currencyTitle, networkTitle, instrumentType } }];
  });
}

/** What a chart's prices can be shown in: the dollar, the euro, or a coin of the dollar. Each but the dollar has a history of its own. */
const PRICED_IN = ["USD", "EUR", "USDT"] as const;
export type PricedIn = (typeof PRICED_IN)[number];

/** The range of a page whose URL names none. */
const FIRST_RANGE: PriceRange = "7d";

type CoinLimits = { readonly min: string; readonly max: string | null };

/** What is asked for a live price: a pair of the coin, and an amount that it takes. */
export type LivePair = Pick<RateRequest, "instrumentFromSlug" | "instrumentToSlug" | "claimedDepositAmount">;

type RelatedPair = {
  readonly coin: ListedCoin;
  readonly from: string;
  readonly to: string;
  /** Search engines may keep its page. */
  readonly isListed: boolean;
};

export type CoinPageData = {
  readonly coin: ListedCoin;
  /** The coin on each of its networks. */
  readonly networks: readonly Instrument[];
  readonly history: PriceHistoryAnswer;
  /** What its chart can be shown in. */
  readonly currencies: readonly PricedIn[];
  /** How much of it one order takes, for the first coin below; null where that is unknown now. */
  readonly limits: CoinLimits | null;
  /** Null where it has no rate now. */
  readonly livePair: LivePair | null;
  /** Other coins to exchange it for. */
  readonly related: readonly RelatedPair[];
};

const RELATED = 6;

/** `/price/{symbol}`, which one in capitals leads to; a coin that is not traded is not found. */
export async function loadCoin({ params, query, api }: LocalLoadInput): Promise<Loaded<CoinPageData>> {
  const given = params["symbol"] ?? "";
  const symbol = given.toLowerCase();
  const range = PRICE_RANGES.find((known) => known === query.get("range")) ?? FIRST_RANGE;
  const [coins, instruments, pairs, asked] = await Promise.all([
    api.call("prices", { query: {} }),
    api.call("instruments", { query: {} }),
    api.call("pairs"),
    askedPairs(api),
  ]);
  const all = listed(coins, instruments);
  const coin = all.find((one) => one.symbol === symbol);
  if (coin === undefined) return { kind: "notFound" };
  // Every page has one URL, and tickers are usually written in capitals.
  if (symbol !== given)
    return { kind: "redirect", to: `/price/${symbol}${query.size === 0 ? "" : `?${query}`}`, status: 301 };
  // Pages that search engines may keep come first, then those of popular coins.
  const rankOf = ({ isListed, coin: { slugs } }: RelatedPair): number =>
    2 * Number(isListed) + Number(instruments.some((one) => one.isPopular && slugs.includes(one.slug)));
  const related = all
    .filter((other) => other.symbol !== symbol)
    .flatMap((other): RelatedPair[] => {
      const pair = pairs.find(({ from }) => coin.slugs.includes(from));
      const to = pair?.to.find((slug) => other.slugs.includes(slug));
      if (pair === undefined || to === undefined) return [];
      const isAskedFor = asked.some((one) => one.from === pair.from && one.to === to);
      return [
        {
          coin: other,
          from: pair.from,
          to,
          isListed: isListedPair({ instruments, pairs }, { from: pair.from, to, isAskedFor }),
        },
      ];
    })
    .toSorted((one, other) => rankOf(other) - rankOf(one))
    .slice(0, RELATED);
  const [first] = related;
  const find = (slug: string | undefined) => instruments.find((one) => one.slug === slug);
  const [history, euro, rated] = await Promise.all([
    historyOf(api, symbol, range),
    historyOf(api, "eur", range),
    rateOf(api, find(first?.from), find(first?.to)),
  ]);
  const networks = instruments.filter(({ slug }) => coin.slugs.includes(slug));
  // A catalogue without the euro, or without a price of it, shows none, and no coin is worth one of itself.
  const currencies = PRICED_IN.filter(
    (currency) => currency !== coin.ticker && (currency !== "EUR" || euro.points.length > 0),
  );
  return { kind: "page", data: { coin, networks, history, currencies, related, ...rated } };
}

/** While it can't be had which pairs customers exchange, those of popular coins are listed alone. */
async function askedPairs(api: Api): Promise<readonly AskedPair[]> {
  try {
    return await api.call("askedPairs");
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("the pairs that are asked for can't be read", error.message);
    return [];
  }
}

/** A chart that can't be had now leaves the page as it is. */
async function historyOf(api: Api, symbol: string, range: PriceRange): Promise<PriceHistoryAnswer> {
  try {
    return await api.call("priceHistory", { params: { symbol }, query: { range } });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("a coin's price history can't be read", symbol, error.message);
    return { symbol, range, points: [], updatedAt: null, day: null };
  }
}

type Rated = Pick<CoinPageData, "limits" | "livePair">;
const UNRATED: Rated = { limits: null, livePair: null };

/** How much one order takes, and what its rate is followed by; the page does without them. */
async function rateOf(api: Api, from?: Instrument, to?: Instrument): Promise<Rated> {
  if (from === undefined || to === undefined) return UNRATED;
  try {
    const { recommendedAmount } = await api.call("recommendedAmount", {
      query: {
        instrumentFromCurrencyTitle: from.currencyTitle,
        instrumentFromNetworkTitle: from.networkTitle,
        instrumentToCurrencyTitle: to.currencyTitle,
        instrumentToNetworkTitle: to.networkTitle,
        rateMode: "FLOATING",
      },
    });
    const livePair = {
      instrumentFromSlug: from.slug,
      instrumentToSlug: to.slug,
      claimedDepositAmount: recommendedAmount,
    };
    const { depositRules } = await api.call("rate", { query: livePair });
    return { limits: { min: depositRules.minAmount, max: depositRules.maxAmount }, livePair };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("a coin's limits can't be read", from.slug, error.message);
    return UNRATED;
  }
}
