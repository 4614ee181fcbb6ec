import { CodedError } from "#contract/errors.ts";
import { formatAmount } from "#contract/money.ts";
import type { RateRequest } from "#contract/rate.ts";
import { requireInstrument, toInstrument, type Catalogue } from "../catalogue/index.ts";
import type { Clock } from "../base/clock.ts";
import { OWN_LIQUIDITY, quote, type QuoteRequest, type Quote } from "./quote.ts";
import type { Switches } from "../treasury/port.ts";
import type { PriceSnapshots } from "./snapshots/price-snapshot.ts";
import { exactFrom, boundedQuote, toPairData, type AvailableBalance, readRateRequest } from "./pair-data.ts";
import {
  RateChanged,
  type ArrivalTimes,
  type PriceSnapshot,
  type PricedClaim,
  type RatePair,
  type Rates,
} from "./port.ts";
import { findQuote, matchesClaim, type ClaimedRate } from "./claimed-rate.ts";
import {
  closedReasons,
  knownNetworkFee,
  networkFeeOf,
  pricePair,
  requireOpen,
  type Pricing,
  type PricingDeps,
} from "./pricing.ts";
import { amountRefusals, withoutLimit } from "./refusals.ts";
import { recommendedAmount } from "./bounds.ts";
import { paceOf } from "./arrival.ts";
import { noPriceNow, pairNotActive, tooSmall } from "./errors.ts";

/** A snapshot is quoted from for this long; its fixed quotes are valid as the catalogue says. */
const SNAPSHOT_VALID_MS = 30_000;

export type RatesOptions = {
  catalogue: Catalogue;
  priceSnapshots: Pick<PriceSnapshots, "newest" | "at" | "onChange">;
  networks: { isUp(networkTitle: string): boolean };
  clock: Clock;
  arrivalTimes: ArrivalTimes;
  available?: AvailableBalance;
  /** Absent where nothing can be stopped, as in tests. */
  switches?: Pick<Switches, "stopped" | "refundOnly">;
};

export function createRates({
  catalogue,
  priceSnapshots,
  networks,
  clock,
  arrivalTimes,
  available = () => null,
  switches,
}: RatesOptions): Rates {
  const deps: PricingDeps = {
    catalogue,
    isNetworkUp: (title) => networks.isUp(title),
    isQuoteStopped: (instrument, direction) => (switches?.stopped("quote", instrument, direction) ?? null) !== null,
    isRefundOnly: () => (switches?.refundOnly() ?? null) !== null,
  };
  const quoteValidMs = catalogue.terms.quoteValidSeconds * 1000;

  const usableSnapshot = (): PriceSnapshot | null => {
    const newest = priceSnapshots.newest();
    return newest !== null && clock.now().getTime() - newest.at.getTime() <= SNAPSHOT_VALID_MS ? newest : null;
  };

  const snapshot = (): PriceSnapshot => {
    const usable = usableSnapshot();
    if (usable === null) throw noPriceNow();
    return usable;
  };

  const validUntil = ({ rateMode, snapshot: { at } }: Pricing): Date | null =>
    rateMode === "FIXED" ? new Date(at.getTime() + quoteValidMs) : null;

  const pricingOf = rememberPerSnapshot((pair, on) => pricePair(deps, pair, on));

  const dataFor = (pair: RatePair, ask: QuoteRequest) => {
    requireOpen(deps, pair);
    const pricing = pricingOf(pair, snapshot());
    const provided = boundedQuote(pricing, ask, available);
    return toPairData(pricing, ask, provided, { validUntil: validUntil(pricing), times: arrivalTimes });
  };

  const read = (request: RateRequest, markupBps: bigint | undefined) => {
    const { pair, ask } = readRateRequest(catalogue, request);
    return { pair: { ...pair, markupBps }, ask };
  };

  const pairData = (request: RateRequest, markupBps?: bigint) => {
    const { pair, ask } = read(request, markupBps);
    return dataFor(pair, ask);
  };

  const quoteFor = (pair: RatePair, ask: QuoteRequest, given: PriceSnapshot = snapshot()): Quote => {
    const pricing = pricingOf(pair, given);
    const made = quote(pricing.terms, ask);
    if (made === null) throw tooSmall(formatAmount(pricing.bounds.min, pricing.from.decimals), pair.from);
    return made;
  };

  /** The snapshot that a claim names, while its quotes are valid. */
  const snapshotOfClaim = async (claim: ClaimedRate): Promise<PriceSnapshot | null> => {
    const named = new Date(claim.updatedAt);
    const age = clock.now().getTime() - named.getTime();
    return age <= quoteValidMs ? priceSnapshots.at(named) : null;
  };

  const priceClaim = async (
    given: RatePair & { claimedDepositAmount: bigint; claim: ClaimedRate },
  ): Promise<PricedClaim> => {
    requireOpen(deps, given);
    const ask = exactFrom(given.claimedDepositAmount);
    const quoted = await snapshotOfClaim(given.claim);
    const now = pricingOf(given, snapshot());
    const then = quoted ? pricingOf(given, quoted) : null;

    if (given.rateMode === "FIXED") {
      const made = then && findQuote(then, given.claimedDepositAmount, given.claim);
      if (!then || !made) throw new RateChanged(dataFor(given, ask));
      boundedQuote(then, ask, available);
      // Should the fixed rate end, the order goes on as a floating one.
      const { bounds } = pricingOf({ ...given, rateMode: "FLOATING" }, then.snapshot);
      return { quote: made, snapshot: then.snapshot, validUntil: validUntil(then), bounds };
    }

    // The quoted bounds are valid as long as the quote, or an amount set to the very minimum would fail a moment later.
    const { bounds } = then ?? now;
    const { provider, quote: made } = boundedQuote({ ...now, bounds }, ask, available);
    if (!matchesClaim(given.claim, made, now.to.decimals, catalogue.terms.floatingToleranceBps))
      throw new RateChanged(dataFor(given, ask));
    return {
      quote: made,
      snapshot: now.snapshot,
      validUntil: null,
      bounds,
      ...(provider !== OWN_LIQUIDITY && { provider }),
    };
  };

  return {
    pairData,
    refusals: (request, markupBps) => {
      const { pair, ask } = read(request, markupBps);
      const closed = closedReasons(deps, pair).map(withoutLimit);
      try {
        return [...closed, ...amountRefusals(pricingOf(pair, snapshot()), ask, available)];
      } catch (error) {
        if (error instanceof CodedError) return closed.length > 0 ? closed : [withoutLimit(error)];
        throw error;
      }
    },
    quoteEnd: (at) => new Date(at.getTime() + quoteValidMs),
    recommendedAmount: (pair) => {
      requireOpen(deps, pair);
      return recommendedAmount(pricingOf(pair, snapshot()));
    },
    quoteFor,
    priceClaim,
    snapshot,
    instrument: (slug) => {
      const given = requireInstrument(catalogue, slug);
      const usable = usableSnapshot();
      return toInstrument(given, {
        price: usable?.prices.get(slug) ?? null,
        payoutFee: usable && knownNetworkFee(catalogue, usable, given),
        ...paceOf(given, arrivalTimes),
      });
    },
    priceUsd: (slug) => usableSnapshot()?.prices.get(slug) ?? null,
    networkFee: (slug, given = snapshot()) => {
      const instrument = catalogue.instruments.get(slug);
      if (!instrument) throw pairNotActive(slug, slug);
      return networkFeeOf(catalogue, given, instrument);
    },
    onSnapshot: (listener) => priceSnapshots.onChange(listener),
  };
}

type PriceOn = (pair: RatePair, snapshot: PriceSnapshot) => Pricing;

/** A pair's pricing changes only with the snapshot, and is needed many times on each. */
function rememberPerSnapshot(price: PriceOn): PriceOn {
  const priceSnapshots = new WeakMap<PriceSnapshot, Map<string, Pricing>>();
  return (pair, snapshot) => {
    const known = priceSnapshots.get(snapshot) ?? new Map<string, Pricing>();
    priceSnapshots.set(snapshot, known);
    const key = `${pair.from} ${pair.to} ${pair.rateMode} ${pair.markupBps ?? 0n}`;
    const pricing = known.get(key) ?? price(pair, snapshot);
    known.set(key, pricing);
    return pricing;
  };
}
