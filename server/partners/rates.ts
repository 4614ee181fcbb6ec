import type { AnswerOf } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { parseAmount } from "#contract/money.ts";
import type { PartnerRateQuery, PartnerReason } from "#contract/partner.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { RateRequest } from "#contract/rate.ts";
import type { Rates } from "../rates/port.ts";
import type { Assets } from "./assets.ts";

type RateParts = { rates: Pick<Rates, "pairData" | "refusals" | "quoteEnd">; assets: Assets };

/** A rate for a partner's customers. What is refused names all its reasons (contract §13). */
export function partnerRate({ rates, assets }: RateParts, query: PartnerRateQuery): AnswerOf<"partnerRate"> {
  const { claimedDepositAmountCurrency: counted, markupBps: markup } = query;
  const { instrumentFromSlug, instrumentToSlug } = query;
  const request: RateRequest = {
    ...assets.slugsOf({ instrumentFromSlug, instrumentToSlug, claimedDepositAmountCurrency: counted }),
    claimedDepositAmount: query.claimedDepositAmount,
    rateMode: query.rateMode,
    exchangeType: "crypto",
  };
  const markupBps = BigInt(markup);
  const data = withReasons(rates, request, markupBps, () => rates.pairData(request, markupBps));
  return {
    ...data,
    instrumentFrom: assets.withIds(data.instrumentFrom),
    instrumentTo: assets.withIds(data.instrumentTo),
    amountToGiveUnits: unitsOf(data.amountToGive, data.instrumentFrom),
    amountToGetUnits: unitsOf(data.amountToGet, data.instrumentTo),
    markupBps: Number(markupBps),
    validUntil: data.validUntil ?? rates.quoteEnd(new Date(data.updatedAt)).toISOString(),
  };
}

/** What `read` returns; what it throws names every reason for which the rate can't be had. */
function withReasons<Result>(
  rates: Pick<Rates, "refusals">,
  request: RateRequest,
  markupBps: bigint,
  read: () => Result,
): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodedError) || error.code === "ERR_VALIDATION") throw error;
    throw withAllReasons(error, rates, request, markupBps);
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
    .map(({ error: { code, message }, ...limits }): PartnerReason => ({ status: code, message, ...limits }));
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

/** The amount in the chain's own units. */
function unitsOf(amount: string, { precisionDecimals, slug }: Instrument): string {
  const units = parseAmount(amount, precisionDecimals);
  if (units === null) throw new RangeError(`an amount of ${slug} has too many decimals: ${amount}`);
  return units.toString();
}
