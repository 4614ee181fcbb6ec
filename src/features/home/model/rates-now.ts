import type { Api } from "#contract/ssr.ts";
import { type Catalogue, type RatedPair, tryRatePair, unratedPair } from "./pair-rates.ts";

const SHOWN = 6;
const QUOTED_IN = "USDT";

/** Real rates of the popular coins, all in one; a coin without a rate now is left out. */
export async function loadRates(api: Api, catalogue: Catalogue): Promise<RatedPair[]> {
  const rated = await Promise.all(ratedCoins(catalogue).map((pair) => tryRatePair(api, pair)));
  return rated.filter(({ rate }) => rate !== null);
}

function ratedCoins({ instruments, pairs }: Catalogue): RatedPair[] {
  const to = instruments.find(
    ({ currencyTitle, slug }) => currencyTitle === QUOTED_IN && pairs.some((pair) => pair.to.includes(slug)),
  );
  if (to === undefined) return [];
  return instruments
    .filter(
      ({ currencyTitle, slug }) =>
        currencyTitle !== QUOTED_IN && pairs.some((pair) => pair.from === slug && pair.to.includes(to.slug)),
    )
    .sort((a, b) => Number(b.isPopular) - Number(a.isPopular))
    .slice(0, SHOWN)
    .map((from) => unratedPair(from, to));
}
