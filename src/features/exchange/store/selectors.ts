import type { Instrument } from "#contract/instrument.ts";
import type { PairData, RateRequest } from "#contract/rate.ts";
import { compareDecimals } from "#contract/money.ts";
import { canonicalAmount } from "../../../shared/format/amount-input.ts";
import type { FormContext } from "../model/blockers.ts";
import type { CalculatorSettings } from "../model/calculator-url.ts";
import { type ExchangeKind, isFiat, kindOf } from "../model/kind.ts";
import type { Catalogue, ExchangeState } from "./state.ts";

type Counted = Pick<CalculatorSettings, "from" | "to" | "side" | "amount">;

/** The instrument of a slug that is known to be in the catalogue. */
export function instrumentOf({ instruments }: Catalogue, slug: string): Instrument {
  const instrument = instruments.find((candidate) => candidate.slug === slug);
  if (instrument === undefined) throw new Error(`no instrument ${slug} in the catalogue`);
  return instrument;
}

/** Whether the catalogue has the pair in this direction. */
export const isPairOffered = ({ pairs }: Catalogue, from: string, to: string): boolean =>
  pairs.some((pair) => pair.from === from && pair.to.includes(to));

/** The kinds that some pair is of; coins for coins always are. */
export function offeredKinds({ instruments, pairs }: Catalogue): ExchangeKind[] {
  const fiat = new Set(instruments.filter(isFiat).map(({ slug }) => slug));
  if (fiat.size === 0) return ["exchange"];
  const isBought = pairs.some(({ from }) => fiat.has(from));
  const isSold = pairs.some(({ to }) => to.some((slug) => fiat.has(slug)));
  return ["exchange", ...(isBought ? (["buy"] as const) : []), ...(isSold ? (["sell"] as const) : [])];
}

export const kindOfState = (catalogue: Catalogue, { from, to }: Pick<ExchangeState, "from" | "to">): ExchangeKind =>
  kindOf(instrumentOf(catalogue, from), instrumentOf(catalogue, to));

/** The typed amount as a wire decimal in its own instrument; empty when it is not positive. */
export function enteredAmount(catalogue: Catalogue, { from, to, side, amount }: Counted): string {
  return canonicalAmount(amount, instrumentOf(catalogue, side === "from" ? from : to).precisionDecimals);
}

/** What a calculator's state asks for, in the words of its address. */
export const settingsOf = ({ from, to, typed, side, rateMode, referrerId }: ExchangeState): CalculatorSettings => ({
  from,
  to,
  amount: typed,
  side,
  rateMode,
  ref: referrerId,
});

/** What the server is asked for; null when there is nothing to ask. */
export function rateRequest(catalogue: Catalogue, settings: CalculatorSettings): RateRequest | null {
  const { from, to, side, rateMode, ref } = settings;
  const amount = enteredAmount(catalogue, settings);
  if (amount === "" || from === to || !isPairOffered(catalogue, from, to)) return null;
  return {
    instrumentFromSlug: from,
    instrumentToSlug: to,
    claimedDepositAmount: amount,
    claimedDepositAmountCurrency: side === "from" ? from : to,
    rateMode,
    referrerId: ref,
    exchangeType: kindOfState(catalogue, { from, to }) === "exchange" ? "crypto" : "fiat",
  };
}

/** The key of what the state asks for now; null when there is nothing to ask. */
export const currentKey = (catalogue: Catalogue, state: ExchangeState): string | null =>
  requestKey(rateRequest(catalogue, settingsOf(state)));

/** Equal for equal requests; null for none. */
export const requestKey = (request: RateRequest | null): string | null =>
  request === null ? null : JSON.stringify(request);

/** Whether a rate answers a request: a message for another pair, mode or amount is ignored (spec §4). */
export function answersRequest(rate: PairData, request: RateRequest): boolean {
  const counted =
    request.claimedDepositAmountCurrency === request.instrumentToSlug ? rate.amountToGet : rate.amountToGive;
  return (
    rate.instrumentFrom.slug === request.instrumentFromSlug &&
    rate.instrumentTo.slug === request.instrumentToSlug &&
    rate.rateMode === request.rateMode &&
    compareDecimals(counted, request.claimedDepositAmount) === 0
  );
}

/** Where the rate of what is asked now stands. */
export function rateStatus(catalogue: Catalogue, state: ExchangeState): FormContext["rate"] {
  const key = currentKey(catalogue, state);
  if (key === null) return "loading";
  if (state.rate.failureOf === key && state.rate.failure !== null) return state.rate.failure;
  return state.rate.answers === key ? "ready" : "loading";
}

/** The rate of the shown pair and mode, also while one for another amount is loading; null when none is known. */
export function knownRate(state: ExchangeState): PairData | null {
  const { data } = state.rate;
  const isOfPair = data?.instrumentFrom.slug === state.from && data.instrumentTo.slug === state.to;
  return isOfPair && data.rateMode === state.rateMode ? data : null;
}

export function formContext(catalogue: Catalogue, state: ExchangeState, isOnline: boolean): FormContext {
  return {
    isOnline,
    from: instrumentOf(catalogue, state.from),
    to: instrumentOf(catalogue, state.to),
    isPairOffered: isPairOffered(catalogue, state.from, state.to),
    amount: enteredAmount(catalogue, settingsOf(state)),
    rateMode: state.rateMode,
    rate: rateStatus(catalogue, state),
    hasDestination: !isFiat(instrumentOf(catalogue, state.to)),
    destination: state.destination,
    memo: {
      value: state.destination.memo,
      isWaived: state.isMemoWaived,
      isRefused: state.destination.isMemoRefused,
    },
    refund: state.refund,
    areTermsAccepted: state.areTermsAccepted,
  };
}
