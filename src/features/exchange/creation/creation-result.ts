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
    const { destination, refund, memo, refundMemo, email } = failure.reasons;
    if (destination !== undefined) state.destination.check = { rejectedAs: destination };
    if (refund !== undefined) state.refund.check = { rejectedAs: refund };
    state.destination.isMemoRefused ||= memo !== undefined;
    state.refund.isMemoRefused ||= refundMemo !== undefined;
    // The next press asks for another one.
    if (email !== undefined) forgetEmail();
  }
  state.creation = { status: "failed", failure };
}

/** Passed from one page to the next and taken once: no page is rendered from it, so it is no store. */
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
