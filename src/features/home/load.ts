import type { Instrument } from "#contract/instrument.ts";
import type { Stats } from "#contract/health.ts";
import type { Api } from "#contract/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { type Catalogue, type RatedPair, ratePair, loadRates } from "./model/pair-rates.ts";

/** What a coin mark is drawn from. */
export type Mark = Pick<Instrument, "currencyTitle" | "networkTitle" | "instrumentType">;

export type LatestExchange = {
  readonly from: Mark;
  readonly to: Mark;
  readonly amountFrom: string;
  readonly completedAt: string;
};

/** The home page's parts below the calculator; a part without data is empty or null and not shown. */
export type HomeParts = {
  readonly latest: readonly LatestExchange[];
  readonly stats: Stats | null;
  readonly rates: readonly RatedPair[];
};

const LATEST_SHOWN = 5;

/** Loads what the home page tells; a part that can't be had is left out, since none of them is needed to exchange. */
export async function loadHome(api: Api, catalogue: Catalogue): Promise<HomeParts> {
  const [latest, stats, rates] = await Promise.all([
    orElse(loadLatest(api, catalogue.instruments), []),
    orElse(api.call("stats"), null),
    loadRates(api, catalogue),
  ]);
  return { latest, stats, rates };
}

/** The same parts as they are now. Throws CallError when one of them can't be had. */
export async function loadHomeAgain(api: Api, { instruments }: Catalogue, last: HomeParts): Promise<HomeParts> {
  const [latest, stats, rates] = await Promise.all([
    loadLatest(api, instruments),
    api.call("stats"),
    Promise.all(last.rates.map((pair) => ratePair(api, pair))),
  ]);
  return { latest, stats, rates };
}

async function loadLatest(api: Api, instruments: readonly Instrument[]): Promise<LatestExchange[]> {
  const markOf = (slug: string): Mark | undefined => instruments.find((instrument) => instrument.slug === slug);
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

const pick = ({ currencyTitle, networkTitle, instrumentType }: Mark): Mark => ({
  currencyTitle,
  networkTitle,
  instrumentType,
});

async function orElse<T, Other>(loading: Promise<T>, other: Other): Promise<T | Other> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("a part of the home page is left out", error.code, error.message);
    return other;
  }
}
