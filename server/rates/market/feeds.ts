import type { CatalogueInstrument } from "../../catalogue/index.ts";
import type { Log } from "../../base/log.ts";
import type { MarketFeed } from "./port.ts";
import { createSandboxMarket } from "./sandbox.ts";
import { openCcxtVenue } from "./venue-ccxt.ts";
import { createVenuesFeed } from "./venues.ts";

/** A venue that deviates from the others by more than this, in hundredths of a percent, is left out. */
const OUTLIER_BPS = 300n;

export type FeedsOptions = {
  config: { sandbox: boolean; market: { venues: readonly string[]; minVenues: number } };
  instruments: Iterable<CatalogueInstrument>;
  log: Log;
};

/**
 * Where prices come from: the venues of MARKET_VENUES, else the sandbox's own market. Outside the sandbox nothing is made up: without
 * venues there are no feeds, and nothing is quoted. Throws `UnknownVenueError`.
 */
export async function openMarketFeeds({ config, instruments, log }: FeedsOptions): Promise<MarketFeed[]> {
  const { sandbox, market } = config;
  if (market.venues.length === 0) return sandbox ? [createSandboxMarket()] : [];
  const venues = await Promise.all(market.venues.map((id) => openCcxtVenue({ id })));
  const limits = { minVenues: market.minVenues, outlierBps: OUTLIER_BPS };
  return [createVenuesFeed({ venues, instruments: [...instruments].filter((one) => one.isActive), limits, log })];
}
