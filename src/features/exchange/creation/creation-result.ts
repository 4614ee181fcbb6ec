import type { CreationFailure } from "../model/creation-failure.ts";
import { currentKey } from "../store/selectors.ts";
import { forgetEmail } from "../store/remembered-email.ts";
import type { Catalogue, ExchangeState } from "../store/state.ts";
import { readJson, sessionStore } from "../../../shared/browser/storage.ts";

/** Puts why an order was not created where it can be mended (spec §8). */
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

let handedBack: CreationFailure | null = null;

/** Leaves a failure for the destination step that its reader goes back to. */
export function leaveFailure(failure: CreationFailure): void {
  handedBack = failure;
}

/** What was left for the step, once. */
export function takeLeftFailure(): CreationFailure | null {
  const failure = handedBack;
  handedBack = null;
  return failure;
}

export const ATTEMPT_KEY = "exchange-attempt:v1";

/** Whether a reload or a lost answer cut a creation off. Apart from the attempt itself, whose schemas load only where it is read. */
export function isCreationInterrupted(): boolean {
  const kept = readJson(sessionStore, ATTEMPT_KEY);
  return typeof kept === "object" && kept !== null && "isLeft" in kept && kept.isLeft === false;
}
