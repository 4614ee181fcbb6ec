import { powerOfTen } from "#contract/money.ts";
import type { Log } from "../../base/logging/log.ts";
import type { MarketFeed, MarketPrice, Venue, VenuePrice } from "./port.ts";
import { consensus, type ConsensusLimits } from "./consensus.ts";

const REFRESH_MS = 30_000;
const VALID_MS = 90_000;
const ONE = powerOfTen(18);
/** Most venues quote in the first; prices in the second are converted. */
const USD = "USD";
const USDT = "USDT";

export type VenuesFeedOptions = {
  venues: readonly Venue[];
  /** What is priced: the coin of each instrument, by its ticker. */
  instruments: Iterable<{ slug: string; currencyTitle: string }>;
  limits: ConsensusLimits;
  log: Log;
  now?: () => number;
};

/**
 * Market prices as the median of several venues (engine.md "Rates"): a venue that fails, is stale or deviates from the others
 * is left out, and a coin that too few agree on has no price.
 */
export function createVenuesFeed({ venues, instruments, limits, log, now = Date.now }: VenuesFeedOptions): MarketFeed {
  const coins = new Map([...instruments].map(({ slug, currencyTitle }) => [slug, currencyTitle.toUpperCase()]));
  const titles = new Set([...coins.values(), USDT]);
  titles.delete(USD);
  const symbols = [...titles].flatMap((title) => [`${title}/${USD}`, ...(title === USDT ? [] : [`${title}/${USDT}`])]);

  const readVenue = async (venue: Venue): Promise<ReadonlyMap<string, VenuePrice>> => {
    try {
      return await venue.read(symbols);
    } catch (error) {
      log.warn({ err: error, venue: venue.name }, "a venue could not be read");
      return new Map();
    }
  };

  return {
    name: "venues",
    refreshMs: REFRESH_MS,
    validMs: VALID_MS,
    async read() {
      const readings = await Promise.all(venues.map(readVenue));
      const freshAt = now() - VALID_MS;
      const fresh = (reading: ReadonlyMap<string, VenuePrice>, symbol: string): VenuePrice | null => {
        const found = reading.get(symbol);
        return found && found.takenAt.getTime() >= freshAt ? found : null;
      };
      const usdt = agree(
        readings.map((reading) => fresh(reading, `${USDT}/${USD}`)),
        limits,
      );
      // One price per venue, in dollars where it has a dollar market.
      const priceAt = (reading: ReadonlyMap<string, VenuePrice>, title: string): VenuePrice | null => {
        const inUsdt = usdt === null || title === USDT ? null : fresh(reading, `${title}/${USDT}`);
        return fresh(reading, `${title}/${USD}`) ?? (inUsdt && usdt ? times(inUsdt, usdt) : null);
      };
      const prices = new Map<string, MarketPrice>();
      for (const [slug, title] of coins) {
        const price =
          title === USD
            ? { usd: ONE, takenAt: new Date(now()) }
            : agree(
                readings.map((reading) => priceAt(reading, title)),
                limits,
              );
        if (price !== null) prices.set(slug, price);
      }
      return prices;
    },
  };
}

const times = ({ price, takenAt }: VenuePrice, usdt: MarketPrice): VenuePrice => ({
  price: (price * usdt.usd) / ONE,
  takenAt: takenAt < usdt.takenAt ? takenAt : usdt.takenAt,
});

/** As old as the oldest of what it was made from. */
function agree(given: readonly (VenuePrice | null)[], limits: ConsensusLimits): MarketPrice | null {
  const prices = given.filter((price) => price !== null);
  const usd = consensus(
    prices.map(({ price }) => price),
    limits,
  );
  if (usd === null) return null;
  return { usd, takenAt: new Date(Math.min(...prices.map(({ takenAt }) => takenAt.getTime()))) };
}
