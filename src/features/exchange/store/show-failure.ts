import type { CreationFailure } from "../model/creation-failure.ts";
import { currentKey } from "./derived.ts";
import { forgetEmail } from "./remembered-email.ts";
import type { Catalogue, ExchangeState } from "./state.ts";

/** Puts why an order was not created where it can be mended (spec §8). */
export function showCreationFailure(catalogue: Catalogue, state: ExchangeState, failure: CreationFailure): void {
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

let handedBack: CreationFailure | null = null;

/** Leaves a failure for the destination step that its reader goes back to. */
export function handBack(failure: CreationFailure): void {
  handedBack = failure;
}

/** What was left for the step, once. */
export function takeHandedBack(): CreationFailure | null {
  const failure = handedBack;
  handedBack = null;
  return failure;
}
