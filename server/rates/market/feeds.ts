import type { CatalogueInstrument } from "../../catalogue/index.ts";
import type { Log } from "../../base/logging/log.ts";
import { createCandleReader } from "./candles.ts";
import type { CandleReader, MarketFeed } from "./port.ts";
import { createSandboxMarket } from "./sandbox.ts";
import { openVenueChild } from "./venue-child.ts";
import { createVenuesFeed } from "./venues.ts";

/** A venue that deviates from the others by more than this, in hundredths of a percent, is left out. */
const OUTLIER_BPS = 300n;

export type FeedsOptions = {
  config: { sandbox: boolean; market: { venues: readonly string[]; minVenues: number } };
  instruments: Iterable<CatalogueInstrument>;
  log: Log;
};

/** `candles` is null where no venue is read. */
export type MarketFeeds = { feeds: MarketFeed[]; candles: CandleReader | null; stop(): Promise<void> };

/**
 * Where prices come from: the venues of MARKET_VENUES, else the sandbox's own market. Outside the sandbox nothing is made up: without
 * venues there are no feeds, and nothing is quoted. Venues are read by a process of their own. Throws `StartupError`.
 */
export async function openMarketFeeds({ config, instruments, log }: FeedsOptions): Promise<MarketFeeds> {
  const { sandbox, market } = config;
  if (market.venues.length === 0) {
    if (!sandbox) log.warn("MARKET_VENUES names no venue: nothing is quoted until it does");
    return { feeds: sandbox ? [createSandboxMarket()] : [], candles: null, stop: async () => undefined };
  }
  const { venues, stop } = await openVenueChild({ venues: market.venues.map((id) => ({ id })), log });
  const limits = { minVenues: market.minVenues, outlierBps: OUTLIER_BPS };
  const active = [...instruments].filter((one) => one.isActive || one.instrumentType === "fiat");
  const candles = createCandleReader({ venues, limits, log });
  return { feeds: [createVenuesFeed({ venues, instruments: active, limits, log })], candles, stop };
}
