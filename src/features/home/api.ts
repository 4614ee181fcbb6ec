import { browserApi } from "../../shared/http/http.ts";
import { type HomeParts, loadChanges, loadLatest, orElse, ratePair } from "./load.ts";
import type { Catalogue, RatedPair } from "./model/pair-rates.ts";
import { type Fresh, useFresh } from "./use-fresh.tsx";

/** The home page's parts, which the page has loaded with, as they are now. */
export const useHomeParts = (first: HomeParts, { instruments }: Catalogue): Fresh<HomeParts> =>
  useFresh("home", first, async (last) => {
    const [latest, stats, rates, changes] = await Promise.all([
      loadLatest(browserApi, instruments),
      browserApi.call("stats"),
      ratesOf(last.rates),
      orElse(loadChanges(browserApi, last.rates), last.changes),
    ]);
    return { latest, stats, rates, changes };
  });

/** The popular pairs, which the page has loaded with, with their rates of now. */
export const usePopularPairs = (first: readonly RatedPair[]): Fresh<readonly RatedPair[]> =>
  useFresh("popular", first, ratesOf);

const ratesOf = (pairs: readonly RatedPair[]): Promise<RatedPair[]> =>
  Promise.all(pairs.map((pair) => ratePair(browserApi, pair)));
