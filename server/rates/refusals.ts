import type { CodedError } from "#contract/errors.ts";
import { displayedUnit, formatAmount } from "#contract/money.ts";
import { noLiquidity } from "./errors.ts";
import { boundRefusal, exactFrom, exactTo, providedQuote, type AvailableBalance } from "./pair-data.ts";
import type { RateRefusal } from "./port.ts";
import type { Pricing } from "./pricing.ts";
import { quote, type QuoteRequest } from "./quote.ts";

/** A reason that another amount does not change. */
export const withoutLimit = (error: CodedError): RateRefusal => ({
  error,
  sourceAmountLimit: null,
  destinationAmountLimit: null,
});

/** Every reason for which an amount can't be had, with the nearest ones that can (contract §13). */
export function amountRefusals(pricing: Pricing, ask: QuoteRequest, available: AvailableBalance): RateRefusal[] {
  const made = quote(pricing.terms, ask);
  const outside = boundRefusal(pricing, ask, made);
  const refusals = outside === null ? [] : [withLimits(pricing, outside)];
  if (made !== null && providedQuote(pricing, ask, made, available) === null)
    refusals.push(withoutLimit(noLiquidity()));
  return refusals;
}

function withLimits(pricing: Pricing, error: CodedError): RateRefusal {
  const { from, to, bounds } = pricing;
  const isMinimum = error.code === "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL";
  const destination = isMinimum ? minTo(pricing) : maxTo(pricing);
  return {
    error,
    sourceAmountLimit: formatAmount(isMinimum ? bounds.min : bounds.max, from.decimals),
    destinationAmountLimit: formatAmount(destination, to.decimals),
  };
}

/** The least that can be asked to arrive: a reverse quote rounds otherwise than the one of the minimum itself. */
function minTo(pricing: Pricing): bigint {
  const { bounds } = pricing;
  return firstUnit(pricing, exactFrom(bounds.min), (amountFrom) => amountFrom >= bounds.min);
}

function maxTo(pricing: Pricing): bigint {
  const { bounds, to } = pricing;
  const beyond = firstUnit(pricing, exactFrom(bounds.max), (amountFrom) => amountFrom > bounds.max);
  return beyond - displayedUnit(to.decimals);
}

/** The least amount to get whose amount to give fulfils `isReached`, which larger ones do too; `near` is where to look first. */
function firstUnit({ terms, to }: Pricing, near: QuoteRequest, isReached: (amountFrom: bigint) => boolean): bigint {
  const unit = displayedUnit(to.decimals);
  const reaches = (units: bigint): boolean => {
    const made = quote(terms, exactTo(units * unit));
    return made !== null && isReached(made.amountFrom);
  };
  let high = (quote(terms, near)?.amountTo ?? unit) / unit + 1n;
  while (!reaches(high)) high *= 2n;
  let low = 0n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high * unit;
}
