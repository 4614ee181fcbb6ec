import type { Instrument } from "#contract/instrument.ts";
import type { Stats } from "#contract/health.ts";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { type PairDirectory, pairDirectory } from "./model/pair-directory.ts";
import { type Catalogue, popularPairs, type RatedPair, ratedCoins } from "./model/pair-rates.ts";

/** What a coin mark is drawn from. */
export type Mark = Pick<Instrument, "currencyTitle" | "networkTitle" | "instrumentType">;
type NamedMark = Mark & Pick<Instrument, "networkFriendlyTitle">;

export type LatestExchange = {
  readonly from: NamedMark;
  readonly to: NamedMark;
  readonly amountFrom: string;
  readonly completedAt: string;
};

/** The home page's parts below the calculator; a part without data is empty or null and not shown. */
export type HomeParts = {
  readonly latest: readonly LatestExchange[];
  readonly stats: Stats | null;
  readonly rates: readonly RatedPair[];
  readonly changes: Changes;
};

/** How the prices of coins have changed, in percent, by lower-case ticker; what is unknown is null or missing. */
export type Changes = Readonly<Record<string, { readonly day: string | null; readonly week: string | null }>>;

const LATEST_SHOWN = 5;

/** Loads what the home page tells; a part that can't be had is left out, since none of them is needed to exchange. */
export async function loadHome(api: Api, catalogue: Catalogue): Promise<HomeParts> {
  const [latest, stats, rates, changes] = await Promise.all([
    orElse(loadLatest(api, catalogue.instruments), []),
    orElse(api.call("stats"), null),
    loadRates(api, catalogue),
    orElse(loadChanges(api, ratedCoins(catalogue)), {}),
  ]);
  return { latest, stats, rates, changes };
}

const symbolOf = ({ from }: Pick<RatedPair, "from">): string => from.currencyTitle.toLowerCase();

export const changesOf = (changes: Changes, pair: Pick<RatedPair, "from">): Changes[string] =>
  changes[symbolOf(pair)] ?? { day: null, week: null };

export async function loadChanges(api: Api, pairs: readonly RatedPair[]): Promise<Changes> {
  const symbols = [...new Set(pairs.map(symbolOf))].join(",");
  const coins = symbols === "" ? [] : await api.call("prices", { query: { symbols } });
  return Object.fromEntries(
    coins.map(({ symbol, change24h, change7d }) => [symbol, { day: change24h, week: change7d }]),
  );
}

export async function loadLatest(api: Api, instruments: readonly Instrument[]): Promise<LatestExchange[]> {
  const markOf = (slug: string): NamedMark | undefined => instruments.find((instrument) => instrument.slug === slug);
  const orders = await api.call("latestOrders");
  return orders
    .flatMap(({ instrumentFrom, instrumentTo, amountFrom, completedAt }) => {
      const [from, to] = [markOf(instrumentFrom), markOf(instrumentTo)];
      return from === undefined || to === undefined
        ? []
        : [{ from: pick(from), to: pick(to), amountFrom, completedAt }];
    })
    .slice(0, LATEST_SHOWN);
}

const pick = ({ currencyTitle, networkTitle, networkFriendlyTitle, instrumentType }: NamedMark): NamedMark => ({
  currencyTitle,
  networkTitle,
  networkFriendlyTitle,
  instrumentType,
});

/** What can't be had now is left as it was, or out. */
export async function orElse<T, Other>(loading: Promise<T>, other: Other): Promise<T | Other> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("a part of the home page is left out", error.code, error.message);
    return other;
  }
}

export type PopularData = {
  readonly pairs: readonly RatedPair[];
  readonly directory: PairDirectory;
  /** What can be exchanged in all. */
  readonly inAll: { readonly coins: number; readonly networks: number; readonly pairs: number };
};

/** The popular pairs with their rates; a pair without one now is kept, since its page tells why. */
export async function loadPopular(api: Api): Promise<PopularData> {
  const [instruments, pairs] = await Promise.all([api.call("instruments", { query: {} }), api.call("pairs")]);
  const catalogue = { instruments, pairs };
  // After what the page needs: without a network that has failed, and nothing is said of a part.
  const [asked, rated] = await Promise.all([
    orElse(api.call("askedPairs"), []),
    Promise.all(popularPairs(catalogue).map((pair) => tryRatePair(api, pair))),
  ]);
  return {
    pairs: rated,
    directory: pairDirectory(catalogue, asked),
    inAll: inAll(catalogue),
  };
}

function inAll({ instruments, pairs }: Catalogue): PopularData["inAll"] {
  const offered = new Set(pairs.flatMap(({ from, to }) => [from, ...to]));
  const coins = instruments.filter(({ slug, instrumentType }) => instrumentType !== "fiat" && offered.has(slug));
  return {
    coins: new Set(coins.map(({ currencyTitle }) => currencyTitle)).size,
    networks: new Set(coins.map(({ networkTitle }) => networkTitle)).size,
    pairs: pairs.reduce((sum, { to }) => sum + to.length, 0),
  };
}

/** Real rates of the popular coins; a coin without a rate now is left out. */
async function loadRates(api: Api, catalogue: Catalogue): Promise<RatedPair[]> {
  const rated = await Promise.all(ratedCoins(catalogue).map((pair) => tryRatePair(api, pair)));
  return rated.filter(({ rate }) => rate !== null);
}

/** The pair with its rate of now; null for one that the service refuses. Throws CallError when it can't answer. */
export async function ratePair(api: Api, pair: RatedPair): Promise<RatedPair> {
  const { from, to } = pair;
  if (pair.requestedAmount === null) return { ...pair, rate: null };
  try {
    const { price, depositRules, updatedAt } = await api.call("rate", {
      query: {
        instrumentFromSlug: from.slug,
        instrumentToSlug: to.slug,
        claimedDepositAmount: pair.requestedAmount,
        rateMode: "FLOATING",
      },
    });
    return { ...pair, rate: { price, min: depositRules.minAmount, max: depositRules.maxAmount, updatedAt } };
  } catch (error) {
    if (isRefusal(error)) return { ...pair, rate: null };
    throw error;
  }
}

/** As `ratePair`, but a service that can't answer leaves the pair as it was. */
async function tryRatePair(api: Api, pair: RatedPair): Promise<RatedPair> {
  try {
    return await ratePair(api, pair);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("a pair has no rate", pair.from.slug, pair.to.slug, error.message);
    return pair;
  }
}

/** The service has answered that this pair can't be had. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CallError && error.kind === "coded" && (error.httpStatus ?? 500) < 500;
