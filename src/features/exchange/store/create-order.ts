import type { Order } from "#contract/order.ts";
import { CallError } from "../../../lib/call-error.ts";
import { newIdempotencyKey } from "../../../lib/idempotency-key.ts";
import { readUtmRecord } from "../../../platform/analytics/visit.ts";
import { type CreationFailure, isOutcomeUnknown, readCreationFailure } from "../model/creation-failure.ts";
import { type OrderBody, orderBody, orderIdentity } from "../model/order-body.ts";
import { type Attempt, dropAttempt, keepAttempt, readAttempt } from "./attempt.ts";
import { countedAmount, currentKey, instrumentOf, settingsOf } from "./derived.ts";
import { dropDraft } from "./draft.ts";
import { forgetReferral, readReferral } from "./referral.ts";
import type { Catalogue, ExchangeState } from "./state.ts";

export type SendOrder = (body: OrderBody, idempotencyKey: string) => Promise<Order>;

/**
 * Creates the order that the form describes and gives it; null when it was not created, with the reason in the state.
 * Until an answer is certain the same key and body are sent again, so no press and no time-out makes a second order.
 */
export async function createOrder(
  catalogue: Catalogue,
  state: ExchangeState,
  send: SendOrder,
  locale: string,
): Promise<Order | null> {
  const outcome = await attemptOrder(currentAttempt(catalogue, state, locale), send, state);
  if ("order" in outcome) {
    dropAttempt();
    dropDraft();
    return outcome.order;
  }
  const { failure } = outcome;
  if (!isOutcomeUnknown(failure)) dropAttempt();
  if (failure.kind === "referrer-unknown" && (state.referrerId ?? readReferral()) !== null) {
    forgetReferral();
    state.referrerId = null;
    return createOrder(catalogue, state, send, locale);
  }
  showFailure(catalogue, state, failure);
  return null;
}

function currentAttempt(catalogue: Catalogue, state: ExchangeState, locale: string): Attempt {
  const { data: rate } = state.rate;
  if (rate === null) throw new Error("an order is created from a rate");
  const needsMemo = instrumentOf(catalogue, state.to).requiresMemo && !state.isMemoWaived;
  const body = orderBody({
    rate,
    destinationAddress: state.destination.address,
    destinationAddressMemo: needsMemo ? state.destination.memo.trim() : null,
    refundAddress: state.refund.address,
    refundAddressMemo: state.refund.memo,
    referrerId: state.referrerId ?? readReferral(),
    utmData: readUtmRecord(),
    locale,
  });
  const identity = orderIdentity(body, { side: state.side, amount: countedAmount(catalogue, settingsOf(state)) });
  const kept = readAttempt();
  if (kept?.identity === identity) return kept;
  const attempt = { identity, key: newIdempotencyKey(), body };
  keepAttempt(attempt);
  return attempt;
}

type Outcome = { order: Order } | { failure: CreationFailure };

async function attemptOrder({ body, key }: Attempt, send: SendOrder, { rateMode }: ExchangeState): Promise<Outcome> {
  try {
    return { order: await send(body, key) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("the order was not created", error.code, error.traceId);
    return { failure: readCreationFailure(error, rateMode) };
  }
}

function showFailure(catalogue: Catalogue, state: ExchangeState, failure: CreationFailure): void {
  const key = currentKey(catalogue, state);
  if (failure.kind === "rate-moved")
    state.rate = { data: failure.rate, answers: key, failure: null, failureOf: null, isLive: true };
  if (failure.kind === "rate") Object.assign(state.rate, { failure: failure.failure, failureOf: key });
  if (failure.kind === "fields") {
    if (failure.fields.includes("destination")) state.destination.check = { rejectedAs: null };
    if (failure.fields.includes("refund")) state.refund.check = { rejectedAs: null };
  }
  state.creation = { status: "failed", failure };
}
