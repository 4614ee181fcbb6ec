import type { Log } from "../../base/logging/log.ts";
import { createPriceGuard, isWithin, checkValue, type PriceGuard } from "./guard.ts";
import type { MarketOverrides } from "./overrides.ts";
import type { MarketFeed, MarketPrice } from "./port.ts";

/** Two sources that differ by more than this, in hundredths of a percent, are both rejected. */
const SOURCES_BPS = 500n;
const READ_TIMEOUT_MS = 5_000;
/** Whoever sets a price asks for a snapshot; this finds what was missed. */
const OVERRIDES_EVERY_MS = 15_000;

export type MarketPrices = {
  /** The prices that may be quoted at this moment, USD scaled by 10^18; the others are left out, and it is logged why. */
  take(options?: {
    /** The prices that the sandbox has set may be those of some seconds ago. */
    mayRemember?: boolean;
  }): Promise<ReadonlyMap<string, bigint>>;
  /** Gives the guard the last values from before a restart. */
  remember(prices: ReadonlyMap<string, bigint>): Promise<void>;
};

export type MarketPricesOptions = {
  /** The first that has a good price of a slug is quoted, the next one that knows it must agree. */
  feeds: readonly MarketFeed[];
  /** Null outside the sandbox, which alone sets prices. */
  overrides: Pick<MarketOverrides, "all"> | null;
  log: Log;
  guard?: PriceGuard;
  /** Real time in milliseconds: a feed does not follow the business clock. */
  now?: () => number;
};

export function createMarketPrices({
  feeds,
  overrides,
  log,
  guard = createPriceGuard(),
  now = Date.now,
}: MarketPricesOptions): MarketPrices {
  const readings = feeds.map((feed) => ({
    feed,
    readAt: Number.NEGATIVE_INFINITY,
    prices: new Map() as ReadonlyMap<string, MarketPrice>,
  }));
  const refused = new Map<string, string>();
  let remembered: { set: ReadonlyMap<string, bigint>; at: number } | null = null;
  const pricesSet = async (mayRemember = false) => {
    if (overrides === null) return new Map<string, bigint>();
    const at = now();
    if (mayRemember && remembered !== null && at - remembered.at < OVERRIDES_EVERY_MS) return remembered.set;
    remembered = { set: await overrides.all(), at };
    return remembered.set;
  };

  const read = async (reading: (typeof readings)[number]): Promise<void> => {
    if (now() - reading.readAt < reading.feed.refreshMs) return;
    reading.readAt = now();
    try {
      reading.prices = await withTimeout(reading.feed.read(), READ_TIMEOUT_MS);
    } catch (error) {
      // The last reading serves until it expires.
      log.warn({ err: error, feed: reading.feed.name }, "a market feed could not be read");
    }
  };

  const judge = (slug: string): { usd: bigint } | { reason: string } => {
    const known = readings.flatMap(({ feed, prices }) => {
      const price = prices.get(slug);
      return price ? [{ ...price, isLive: now() - price.takenAt.getTime() <= feed.validMs }] : [];
    });
    const live = known.filter(({ isLive }) => isLive);
    const [first, second] = live;
    if (!first) return { reason: "expired" };
    const verdict = guard.judge(slug, first.usd, now());
    if (verdict !== "good") return { reason: verdict };
    if (second && !isWithin(first.usd, second.usd, SOURCES_BPS)) return { reason: "sources disagree" };
    return { usd: first.usd };
  };

  const report = (slug: string, reason: string | null): void => {
    if (refused.get(slug) === (reason ?? undefined)) return;
    if (reason === null) refused.delete(slug);
    else refused.set(slug, reason);
    if (reason === null) log.info({ slug }, "quoting again");
    else log.warn({ slug, reason }, "stopped quoting: the market price is unreliable");
  };

  return {
    async take({ mayRemember = false } = {}) {
      const [set] = await Promise.all([pricesSet(mayRemember), ...readings.map(read)]);
      const slugs = new Set([...set.keys(), ...readings.flatMap(({ prices }) => [...prices.keys()])]);
      const prices = new Map<string, bigint>();
      for (const slug of slugs) {
        const judged = judge(slug);
        const override = set.get(slug);
        const verdict = override === undefined ? "good" : checkValue(override);
        const usd = override ?? ("usd" in judged ? judged.usd : null);
        if (usd !== null && verdict === "good") prices.set(slug, usd);
        report(slug, prices.has(slug) ? null : verdict === "good" && "reason" in judged ? judged.reason : verdict);
      }
      return prices;
    },
    async remember(prices) {
      const set = await pricesSet();
      for (const [slug, usd] of prices) if (!set.has(slug)) guard.remember(slug, usd);
    },
  };
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
