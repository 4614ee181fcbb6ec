import type { Api } from "#contract/ssr.ts";
import { popularPairs, type RatedPair, ratePair, tryRatePair } from "../model/pair-rates.ts";

export type PopularData = {
  readonly pairs: readonly RatedPair[];
  /** How many pairs can be exchanged in all. */
  readonly pairsInAll: number;
};

/** The popular pairs with their rates; a pair without one now is kept, since its page tells why. */
export async function loadPopular(api: Api): Promise<PopularData> {
  const [instruments, pairs] = await Promise.all([api.call("instruments", { query: {} }), api.call("pairs")]);
  return {
    pairs: await Promise.all(popularPairs({ instruments, pairs }).map((pair) => tryRatePair(api, pair))),
    pairsInAll: pairs.reduce((sum, { to }) => sum + to.length, 0),
  };
}

/** The same pairs with rates of now. Throws CallError when the service can't answer. */
export const rateAgain = (api: Api, pairs: readonly RatedPair[]): Promise<RatedPair[]> =>
  Promise.all(pairs.map((pair) => ratePair(api, pair)));
