import type { AnswerOf } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import type { PartnerRateQuery, RefusalReason } from "#contract/partner-api.ts";
import type { PairData, RateRequest } from "#contract/rate.ts";
import type { Rates } from "../rates/port.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { Assets } from "./assets.ts";
import { unitsOf, withUnits } from "./native-units.ts";

type RateParts = { catalogue: Catalogue; rates: Pick<Rates, "pairData" | "refusals" | "quoteEnd">; assets: Assets };

/** A rate for a partner's customers. What is refused names all its reasons (contract §13). */
export function partnerRate({ catalogue, rates, assets }: RateParts, query: PartnerRateQuery): AnswerOf<"partnerRate"> {
  const { claimedDepositAmountCurrency: counted, markupBps: markup } = query;
  const { instrumentFromSlug, instrumentToSlug } = query;
  const request: RateRequest = {
    ...assets.slugsOf({ instrumentFromSlug, instrumentToSlug, claimedDepositAmountCurrency: counted }),
    claimedDepositAmount: query.claimedDepositAmount,
    rateMode: query.rateMode,
    exchangeType: "crypto",
  };
  const markupBps = BigInt(markup);
  const data = withReasons({ catalogue, rates }, request, markupBps, () => rates.pairData(request, markupBps));
  return presentRate({ rates, assets }, data, markupBps);
}

/** A rate as partners see it: with ids and units. */
export function presentRate(
  { rates, assets }: { rates: Pick<Rates, "quoteEnd">; assets: Assets },
  data: PairData,
  markupBps: bigint,
): AnswerOf<"partnerRate"> {
  const inFrom = (amount: string) => unitsOf(amount, data.instrumentFrom.precisionDecimals);
  const { minAmount, maxAmount } = data.depositRules;
  return {
    ...data,
    instrumentFrom: assets.withIds(data.instrumentFrom),
    instrumentTo: assets.withIds(data.instrumentTo),
    amountToGiveUnits: inFrom(data.amountToGive),
    amountToGetUnits: unitsOf(data.amountToGet, data.instrumentTo.precisionDecimals),
    depositRules: {
      minAmount,
      maxAmount,
      minAmountUnits: inFrom(minAmount),
      maxAmountUnits: maxAmount === null ? null : inFrom(maxAmount),
    },
    markupBps: Number(markupBps),
    validUntil: data.validUntil ?? rates.quoteEnd(new Date(data.updatedAt)).toISOString(),
  };
}

/** What `read` returns; what it throws names every reason for which the rate can't be had. */
function withReasons<Result>(
  { catalogue, rates }: { catalogue: Catalogue; rates: Pick<Rates, "refusals"> },
  request: RateRequest,
  markupBps: bigint,
  read: () => Result,
): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodedError) || error.code === "ERR_VALIDATION") throw error;
    throw withUnits(withAllReasons(error, rates, request, markupBps), catalogue, request);
  }
}

/** The same error, with every reason for which the rate can't be had in `data.reasons`; where the rate can be had, the error itself is the reason. */
export function withAllReasons(
  error: CodedError,
  rates: Pick<Rates, "refusals">,
  request: RateRequest,
  markupBps: bigint,
): CodedError {
  const { code, message, httpStatus, retryAfterSeconds, data } = error;
  const reasons = rates
    .refusals(request, markupBps)
    .map(({ error: { code, message }, ...limits }): RefusalReason => ({ status: code, message, ...limits }));
  if (reasons.length === 0) {
    // What is wrong with a field is said in `data` by its name; some errors name their reasons themselves.
    if (code === "ERR_VALIDATION" || data?.["reasons"] !== undefined) return error;
    reasons.push({ status: code, message, sourceAmountLimit: null, destinationAmountLimit: null });
  }
  return new CodedError(code, message, {
    data: { ...data, reasons },
    httpStatus,
    cause: error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
