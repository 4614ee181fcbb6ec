import { divideDown, powerOfTen, WHOLE_BPS } from "#contract/money.ts";
import type { Log } from "../base/logging/log.ts";
import { marketValue, offerKey, type Curve } from "../rates/quote.ts";
import type { LiquidityPartner, PartnerPair, QuotedPoint, TradedInstrument } from "./port.ts";

const REFRESH_MS = 30_000;
/** A quote may be used for this long after it was requested; later the partner is left out. */
const VALID_MS = 90_000;
/** Amounts that partners are asked for, in USD; between them a quote is a straight line. */
const LADDER_USD = [25n, 250n, 2_500n, 25_000n];
/** A quote above the market, or far below it, probably means another coin. */
const MAX_BPS = 10_300n;
const MIN_BPS = 7_000n;

export type PartnerQuotes = {
  /** By `offerKey`: what partners quote now, checked against these prices (USD, scaled by 10^18). They are requested at most every 30 s. */
  take(prices: ReadonlyMap<string, bigint>): Promise<ReadonlyMap<string, Curve>>;
};

export type PartnerQuotesOptions = {
  partners: Iterable<LiquidityPartner>;
  pairs: readonly PartnerPair[];
  log: Log;
  /** How long a snapshot waits for a partner. */
  timeoutMs?: number;
  now?: () => number;
};

export function createPartnerQuotes({
  partners,
  pairs,
  log,
  timeoutMs = 1_500,
  now = Date.now,
}: PartnerQuotesOptions): PartnerQuotes {
  const known = new Map<string, { points: QuotedPoint[]; at: number; pair: PartnerPair }>();
  const pollers = [...partners].map((partner) => ({
    partner,
    running: null as Promise<void> | null,
    askedAt: Number.NEGATIVE_INFINITY,
  }));

  /** One pair after the other: partners limit their callers. */
  const askAll = async (partner: LiquidityPartner, prices: ReadonlyMap<string, bigint>): Promise<void> => {
    for (const pair of pairs) {
      const price = prices.get(pair.from.slug);
      if (price === undefined || price <= 0n) continue;
      const at = now();
      try {
        const points = await partner.quote(pair, ladder(pair.from, price));
        known.set(offerKey(partner.code, pair.from.slug, pair.to.slug), { points, at, pair });
      } catch (error) {
        // The last quote stays valid until it expires.
        log.warn(
          { err: error, partner: partner.code, from: pair.from.slug, to: pair.to.slug },
          "a partner's quote failed",
        );
      }
    }
  };

  const ask = (one: (typeof pollers)[number], prices: ReadonlyMap<string, bigint>): Promise<void> => {
    if (one.running) return one.running;
    if (now() - one.askedAt < REFRESH_MS) return Promise.resolve();
    one.askedAt = now();
    one.running = askAll(one.partner, prices).finally(() => {
      one.running = null;
    });
    return one.running;
  };

  return {
    async take(prices) {
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, timeoutMs);
      await Promise.race([Promise.all(pollers.map((one) => ask(one, prices))), timeout.promise]);
      clearTimeout(timer);
      const usable = [...known].flatMap(([key, { points, at, pair }]) => {
        const curve = now() - at <= VALID_MS ? plausibleCurve(points, pair, prices) : [];
        return curve.length > 1 ? [[key, curve] as const] : [];
      });
      return new Map(usable);
    },
  };
}

function ladder({ decimals }: TradedInstrument, priceUsd: bigint): bigint[] {
  return LADDER_USD.map((usd) => {
    const exact = divideDown(usd * powerOfTen(18) * powerOfTen(decimals), priceUsd);
    const unit = powerOfTen(Math.max(0, exact.toString().length - 2));
    return exact - (exact % unit);
  });
}

/** The points of a curve that are near the market and rise with the amount. */
function plausibleCurve(
  points: readonly QuotedPoint[],
  { from, to }: PartnerPair,
  prices: ReadonlyMap<string, bigint>,
): Curve {
  const [fromPrice, toPrice] = [prices.get(from.slug), prices.get(to.slug)];
  if (fromPrice === undefined || toPrice === undefined) return [];
  const fromSide = { decimals: from.decimals, priceUsd: fromPrice };
  const toSide = { decimals: to.decimals, priceUsd: toPrice };
  const near = points.filter((point) => {
    const worth = marketValue(fromSide, toSide, point.amountFrom);
    return point.amountTo * WHOLE_BPS <= worth * MAX_BPS && point.amountTo * WHOLE_BPS >= worth * MIN_BPS;
  });
  return near.filter((point, index) => {
    const before = near[index - 1];
    return before === undefined || (point.amountFrom > before.amountFrom && point.amountTo > before.amountTo);
  });
}
