import type { CreationFailure } from "../model/creation-failure.ts";
import { currentKey } from "../store/selectors.ts";
import { forgetEmail } from "../store/remembered-email.ts";
import type { Catalogue, ExchangeState } from "../store/state.ts";

/** Shows why an order was not created beside the field that can correct it (spec §8). */
export function applyCreationFailure(catalogue: Catalogue, state: ExchangeState, failure: CreationFailure): void {
  const key = currentKey(catalogue, state);
  if (failure.kind === "rate-moved")
    state.rate = { data: failure.rate, answers: key, failure: null, failureOf: null, isLive: true };
  if (failure.kind === "rate") Object.assign(state.rate, { failure: failure.failure, failureOf: key });
  if (failure.kind === "fields") {
    if (failure.fields.includes("destination")) state.destination.check = { rejectedAs: null };
    if (failure.fields.includes("refund")) state.refund.check = { rejectedAs: null };
    state.destination.isMemoRefused ||= failure.fields.includes("memo");
    state.refund.isMemoRefused ||= failure.fields.includes("refundMemo");
    // The next press asks for another one.
    if (failure.fields.includes("email")) forgetEmail();
  }
  state.creation = { status: "failed", failure };
}

let leftFailure: CreationFailure | null = null;

/** Leaves a failure for the destination step to show when the customer returns to it. */
export function leaveFailure(failure: CreationFailure): void {
  leftFailure = failure;
}

/** The failure that was left, once. */
export function takeLeftFailure(): CreationFailure | null {
  const failure = leftFailure;
  leftFailure = null;
  return failure;
}
