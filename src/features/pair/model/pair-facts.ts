import type { Instrument } from "#contract/instrument.ts";
import { addDecimals, percentOf } from "#contract/money.ts";
import type { PairActivity } from "#contract/site/pair-activity.ts";
import type { PairData } from "#contract/rate.ts";

/** What is true of a pair now; null where it is unknown. */
export type PairFacts = {
  readonly from: Instrument;
  readonly to: Instrument;
  readonly limits: { readonly min: string; readonly max: string | null } | null;
  readonly feePercent: string | null;
  /** In the coin that is received. */
  readonly networkFee: string | null;
  /** Measured here, over the last exchanges. */
  readonly medianSeconds: number | null;
  /** From the paces of both networks. */
  readonly estimatedSeconds: number | null;
};

export function pairFacts(
  from: Instrument,
  to: Instrument,
  rate: PairData | null,
  activity: PairActivity | null,
): PairFacts {
  const ofRate =
    rate === null
      ? { limits: null, feePercent: null, networkFee: null, estimatedSeconds: null }
      : {
          limits: { min: rate.depositRules.minAmount, max: rate.depositRules.maxAmount },
          feePercent: percentOf(
            rate.platformFee_Absolute,
            addDecimals(rate.platformFee_Absolute, rate.finalNetworkFeeAmount, rate.amountToGet),
          ),
          networkFee: rate.finalNetworkFeeAmount,
          estimatedSeconds: rate.estimatedSeconds,
        };
  return { from, to, ...ofRate, medianSeconds: activity?.statistics?.medianSeconds ?? null };
}
