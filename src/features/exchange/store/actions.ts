import type { RateMode } from "#contract/rate.ts";
import type { Side } from "../model/page-query.ts";
import type { AddressName, ExchangeState } from "./state.ts";

/** Counts in the side that was typed; the other one is computed. */
export function typeAmount(state: ExchangeState, side: Side, text: string): void {
  state.side = side;
  state.typed = text;
}

export function chooseRateMode(state: ExchangeState, rateMode: RateMode): void {
  state.rateMode = rateMode;
  forgetCreation(state);
}

/** Exchanges the two coins; the amount stays with its coin, and address errors are cleared (spec §4). */
export function swapCoins(state: ExchangeState): void {
  setPair(state, state.to, state.from);
  state.side = state.side === "send" ? "get" : "send";
}

/** Puts a coin on a side; choosing the coin of the other side swaps. */
export function chooseCoin(state: ExchangeState, side: Side, slug: string): void {
  if (slug === (side === "send" ? state.to : state.from)) swapCoins(state);
  else if (side === "send") setPair(state, slug, state.to);
  else setPair(state, state.from, slug);
}

/** Sets the amount to the bound that was missed, on the side that the bound counts. */
export function applyBound(state: ExchangeState, bound: { expected: string; slug: string }): void {
  typeAmount(state, bound.slug === state.to ? "get" : "send", bound.expected);
}

export function typeAddress(state: ExchangeState, name: AddressName, text: string): void {
  state[name].address = text;
  forgetCreation(state);
}

export function typeMemo(state: ExchangeState, name: AddressName, text: string): void {
  state[name].memo = text;
  state[name].isMemoRefused = false;
  forgetCreation(state);
}

function setPair(state: ExchangeState, from: string, to: string): void {
  state.from = from;
  state.to = to;
  state.isFixedRefused = false;
  state.destination.check = "unchecked";
  state.refund.check = "unchecked";
  state.destination.isMemoRefused = false;
  state.refund.isMemoRefused = false;
  state.wasSubmitted = false;
  forgetCreation(state);
}

/** What was said about the last attempt no longer fits a changed form. */
function forgetCreation(state: ExchangeState): void {
  if (state.creation.status === "failed") state.creation = { status: "idle" };
}
