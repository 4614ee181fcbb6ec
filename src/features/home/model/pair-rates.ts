import type { Instrument, PairList } from "#contract/instrument.ts";
import type { Api } from "#contract/ssr.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { worth } from "./worth.ts";

export type Catalogue = { readonly instruments: readonly Instrument[]; readonly pairs: PairList };

/** What a row names a coin by. */
export type Coin = Pick<
  Instrument,
  "slug" | "currencyTitle" | "currencyFriendlyTitle" | "networkTitle" | "networkFriendlyTitle" | "instrumentType"
>;

/** What one coin pays, all fees taken, and how much may be sent. */
export type Rate = {
  readonly price: string;
  readonly min: string;
  readonly max: string | null;
  /** ISO-8601. */
  readonly updatedAt: string;
};

/** A pair and what it pays now; null while it has no rate. */
export type RatedPair = {
  readonly from: Coin;
  readonly to: Coin;
  /** What the rate is asked for, about `ASKED_USD`'s worth; null for a coin without a price. */
  readonly asked: string | null;
  readonly rate: Rate | null;
};

/** A pair that hasn't been asked about yet. */
export const unratedPair = (from: Instrument, to: Instrument): RatedPair => ({
  from: coinOf(from),
  to: coinOf(to),
  asked: from.price === null ? null : worth(from.price, Math.min(6, from.precisionDecimals)),
  rate: null,
});

/** The pair with its rate of now; null for one that the service refuses. Throws CallError when it can't answer. */
export async function ratePair(api: Api, pair: RatedPair): Promise<RatedPair> {
  const { from, to, asked } = pair;
  if (asked === null) return { ...pair, rate: null };
  try {
    const { price, depositRules, updatedAt } = await api.call("rate", {
      query: {
        instrumentFromSlug: from.slug,
        instrumentToSlug: to.slug,
        claimedDepositAmount: asked,
        rateMode: "FLOATING",
      },
    });
    return { ...pair, rate: { price, min: depositRules.minAmount, max: depositRules.maxAmount, updatedAt } };
  } catch (error) {
    if (isRefusal(error)) return { ...pair, rate: null };
    throw error;
  }
}

/** As `ratePair`, but a service that can't answer leaves the pair as it was. */
export async function tryRatePair(api: Api, pair: RatedPair): Promise<RatedPair> {
  try {
    return await ratePair(api, pair);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("a pair has no rate", pair.from.slug, pair.to.slug, error.message);
    return pair;
  }
}

/** The service has answered that this pair can't be had. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CallError && error.kind === "coded" && (error.httpStatus ?? 500) < 500;

const coinOf = ({
  slug,
  currencyTitle,
  currencyFriendlyTitle,
  networkTitle,
  networkFriendlyTitle,
  instrumentType,
}: Instrument): Coin => ({
  slug,
  currencyTitle,
  currencyFriendlyTitle,
  networkTitle,
  networkFriendlyTitle,
  instrumentType,
});
