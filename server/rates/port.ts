import { CodedError } from "#contract/errors.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { CreateOrderBody } from "#contract/order.ts";
import type { Minor } from "#contract/money.ts";
import type { PairData, RateMode, RateRequest } from "#contract/rate.ts";
import type { BucketClient } from "../base/concurrency/token-buckets.ts";
import type { Log } from "../base/logging/log.ts";
import type { Curve, QuoteRequest, Quote } from "./quote.ts";

/** Everything a price is made of, at one moment of the business clock. A fixed quote is found again by its snapshot. */
export type PriceSnapshot = {
  at: Date;
  /** By slug: USD, scaled by 10^18. A slug without a trustworthy price is not in it. */
  prices: ReadonlyMap<string, bigint>;
  /** By `feeKey`: what paying the instrument out costs, in minor units of the network's own coin. */
  fees: ReadonlyMap<string, bigint>;
  /** By `offerKey`: what partners deliver; absent where there are none. */
  partners?: ReadonlyMap<string, Curve>;
};

/** The key of a price snapshot's `fees`. */
export const feeKey = (networkTitle: string, slug: string): string => `${networkTitle}:${slug}`;

/** A network that is down has no price, nor has an instrument that has left the catalogue. */
const WITHOUT_PRICE: readonly string[] = ["ERR_SERVICE_UNAVAILABLE", "ERR_PAIR_NOT_ACTIVE"];

/** What `read` returns; null while there is no usable price or fee. Any other error is thrown on. */
export function nullWithoutPrice<T>(read: () => T, log: Log): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodedError) || !WITHOUT_PRICE.includes(error.code)) throw error;
    log.debug({ err: error }, "no price snapshot is usable");
    return null;
  }
}

/** `markupBps`: what a partner adds to our fee, for itself (contract §13). */
export type RatePair = { from: string; to: string; rateMode: RateMode; markupBps?: bigint | undefined };

/** Why there is no rate, and the nearest amounts that have one, as decimals of each instrument; null where no amount helps. */
export type RateRefusal = {
  error: CodedError;
  sourceAmountLimit: string | null;
  destinationAmountLimit: string | null;
};

/** What an order is created with: the quote, its snapshot, and how long it may be claimed (null for floating). */
export type PricedClaim = {
  quote: Quote;
  snapshot: PriceSnapshot;
  validUntil: Date | null;
  /** Who quotes it, where that is a partner. */
  provider?: string;
  /** What a floating order of the pair may send: bounds that the order stores. */
  bounds: { min: Minor<"from">; max: Minor<"from"> | null };
};

/** A claim that is refused: its caller gets the rate as it is now, under `data.rate` (contract §2). */
export class RateChanged extends CodedError {
  readonly rate: PairData;
  constructor(rate: PairData) {
    super("ERR_UNPROCESSABLE_ENTITY", "The rate has changed", { data: { rate } });
    this.rate = rate;
  }
}

/** Our rates. Every failure is a CodedError of contract §1. */
export type Rates = {
  /** Pair data for either direction (contract §2). */
  pairData(request: RateRequest, markupBps?: bigint): PairData;
  /** Every reason for which `pairData` would fail now, the one that it names first; ERR_VALIDATION is thrown as there. */
  refusals(request: RateRequest, markupBps?: bigint): RateRefusal[];
  /** How long a quote on a snapshot of `at` can be claimed. */
  quoteEnd(at: Date): Date;
  /** A quote of the current snapshot or a given one, without bounds and also for a pair that takes no new orders. */
  quoteFor(pair: RatePair, ask: QuoteRequest, snapshot?: PriceSnapshot): Quote;
  /**
   * Prices an order again: a floating claim may differ by 2 %, a fixed one must match a quote that was made and is still
   * valid; otherwise ERR_UNPROCESSABLE_ENTITY with fresh pair data under `data.rate` (contract §2).
   */
  priceClaim(
    given: RatePair & { claimedDepositAmount: bigint; claim: CreateOrderBody["claimedPublicRate"] },
  ): Promise<PricedClaim>;
  /** A sensible amount to send, as a decimal of the sending instrument. */
  recommendedAmount(pair: RatePair): string;
  /** What paying `slug` out costs, in its own minor units, rounded up. */
  networkFee(slug: string, snapshot?: PriceSnapshot): bigint;
  /** An instrument with its price and payout fee now, where there are some (contract §2). */
  instrument(slug: string): Instrument;
  /** USD, scaled by 10^18; null while there is no trustworthy price. */
  priceUsd(slug: string): bigint | null;
  /** The newest snapshot; ERR_SERVICE_UNAVAILABLE while there is none that is still valid. */
  snapshot(): PriceSnapshot;
  /** Calls back after every new snapshot, until the returned function is called. */
  onSnapshot(listener: () => void): () => void;
};

/** Rates of fiat instruments, which a card provider quotes. */
export type FiatRates = {
  /** Its name in the query `providers`. */
  readonly code: string;
  /** `client`: whose share of the request quota is used; null: nobody's. */
  pairData(request: RateRequest, client?: BucketClient | null): Promise<PairData>;
  /** What it trades. */
  listed(): Instrument[];
};

/** How long coins take; networks by their titles, null where a pace is unknown. */
export type ArrivalTimes = {
  /** The average time between two blocks. */
  blockSeconds(network: string): number | null;
  /** How long a payout takes: as measured lately, else until the next block. */
  payoutSeconds(network: string): number | null;
  /** Whole seconds until a payout on `to` has arrived, for a deposit that still needs so many blocks of `from`. */
  secondsLeft(from: string, blocksLeft: number, to: string): number | null;
  /** The same for a deposit that is sent now. */
  secondsFromSending(from: string, requiredConfirmations: number, to: string): number | null;
};
