import type { Instrument, PairList } from "#contract/instrument.ts";
import type { PairData, RateMode } from "#contract/rate.ts";
import type { AddressCheck } from "../../../address/address-check.ts";
import type { MemoOfAddress } from "../../../address/memo-of-address.ts";
import { saveAmount } from "./amount-draft.ts";
import type { CreationFailure } from "../model/creation-failure.ts";
import type { CalculatorSettings, Side } from "../model/calculator-url.ts";
import type { RateFailure } from "../model/rate-failure.ts";

/** The catalogue that a calculator works on; it does not change while the page lives. */
export type Catalogue = { instruments: readonly Instrument[]; pairs: PairList };

export type AddressField = MemoOfAddress & { address: string; check: AddressCheck; isMemoRefused: boolean };
export type AddressName = "destination" | "refund";

type Creation = { status: "idle" } | { status: "busy" } | { status: "failed"; failure: CreationFailure };

export type ExchangeState = {
  from: string;
  to: string;
  /** The side that the person counts in, and what its field holds. */
  side: Side;
  typed: string;
  /** Nobody has chosen the amount: one that the pair doesn't take gives way to its bound. */
  isDefaultAmount: boolean;
  /** The form for coins alone that a purchase or a sale by card has taken the place of. */
  coins: { from: string; to: string; side: Side; typed: string } | null;
  rateMode: RateMode;
  /** The pair's fixed rate was refused, so the mode went to floating (spec §8). */
  isFixedRefused: boolean;
  /** The last good rate and the last failure, each with the request that it answers. */
  rate: {
    data: PairData | null;
    answers: string | null;
    failure: RateFailure | null;
    failureOf: string | null;
    isLive: boolean;
  };
  destination: AddressField;
  isMemoWaived: boolean;
  refund: AddressField;
  areTermsAccepted: boolean;
  /** The email of the order that is created again; null elsewhere. */
  email: string | null;
  /** Errors of the destination step show once someone has tried to create the order. */
  wasSubmitted: boolean;
  creation: Creation;
  referrerId: string | null;
};

/** How a page opens: what its address says, and the first rate or why there is none. */
export type Opening = CalculatorSettings & {
  /** Beside a failure, the rate of another amount, which the pair takes. */
  firstRate: PairData | null;
  firstFailure: RateFailure | null;
  /** A fixed rate was asked for and refused: the rest is that of the floating one. */
  isFixedRefused: boolean;
};

const emptyAddress = (): AddressField => ({
  address: "",
  memo: "",
  isMemoLinked: false,
  isMemoRemoved: false,
  check: "unchecked",
  isMemoRefused: false,
});

/** The state that a page opens with; `firstRequest` is the key of what `firstRate` or `firstFailure` answers. */
export function initialState(opening: Opening, firstRequest: string | null): ExchangeState {
  return {
    ...openedCalculator(opening, firstRequest),
    isDefaultAmount: false,
    coins: null,
    destination: emptyAddress(),
    isMemoWaived: false,
    refund: emptyAddress(),
    areTermsAccepted: false,
    email: null,
    wasSubmitted: false,
    creation: { status: "idle" },
    referrerId: opening.ref,
  };
}

type CalculatorState = Pick<ExchangeState, "from" | "to" | "side" | "typed" | "rateMode" | "isFixedRefused" | "rate">;

/** The calculator's share of the state. */
export function openedCalculator(opening: Opening, firstRequest: string | null): CalculatorState {
  const { from, to, side, amount, firstRate, firstFailure, isFixedRefused } = opening;
  return {
    from,
    to,
    side,
    typed: amount,
    rateMode: isFixedRefused ? "FLOATING" : opening.rateMode,
    isFixedRefused,
    rate: {
      data: firstRate,
      answers: firstRate === null || firstFailure !== null ? null : firstRequest,
      failure: firstFailure,
      failureOf: firstFailure === null ? null : firstRequest,
      isLive: firstRate !== null && firstFailure === null,
    },
  };
}

/** Counts in the side that was typed; the other one is computed. */
export function setAmount(state: ExchangeState, side: Side, text: string): void {
  state.side = side;
  state.typed = text;
  state.isDefaultAmount = false;
  saveAmount(state);
}

export function selectRateMode(state: ExchangeState, rateMode: RateMode): void {
  state.rateMode = rateMode;
  forgetCreation(state);
}

/** Exchanges the two coins; the amount stays with its coin, and address errors are cleared (spec §4). */
export function swapCoins(state: ExchangeState): void {
  setPair(state, state.to, state.from);
  state.side = state.side === "from" ? "to" : "from";
}

/** Puts a coin on a side; choosing the coin of the other side swaps. */
export function selectCoin(state: ExchangeState, side: Side, slug: string): void {
  if (slug === (side === "from" ? state.to : state.from)) swapCoins(state);
  else if (side === "from") setPair(state, slug, state.to);
  else setPair(state, state.from, slug);
}

/** Sets the amount to the bound that was missed, on the side that the bound counts. */
export function applyBound(state: ExchangeState, bound: { expected: string; slug: string }): void {
  setAmount(state, bound.slug === state.to ? "to" : "from", bound.expected);
}

export function setPair(state: ExchangeState, from: string, to: string): void {
  state.from = from;
  state.to = to;
  state.isFixedRefused = false;
  state.destination.check = "unchecked";
  state.refund.check = "unchecked";
  for (const field of [state.destination, state.refund]) {
    field.isMemoRefused = false;
    // An address of another coin is replaced next, and this is its memo.
    field.isMemoLinked ||= field.address.trim() !== "" && field.memo !== "";
  }
  state.wasSubmitted = false;
  forgetCreation(state);
}

/** What was said about the last attempt no longer fits a changed form. */
export function forgetCreation(state: ExchangeState): void {
  if (state.creation.status === "failed") state.creation = { status: "idle" };
}
