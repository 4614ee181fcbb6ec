import type { Order } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { randomHex } from "../../../shared/browser/random-hex.ts";
import { holdReload } from "../../../pwa/reload-hold.ts";
import { type CreationFailure, isOutcomeUnknown, readCreationFailure } from "../model/creation-failure.ts";
import type { OrderBody } from "../model/order-body.ts";
import { type Attempt, dropAttempt, keepAttempt } from "./attempt.ts";
import { dropDraft } from "./draft.ts";
import { forgetReferral } from "./referral.ts";

export type SendOrder = (body: OrderBody, idempotencyKey: string) => Promise<Order>;

/** `referrerId` is the one that was sent last: an unknown one is left out. */
export type Outcome = { referrerId: string | null } & ({ order: Order } | { failure: CreationFailure });

/**
 * Sends an attempt once. A certain outcome drops what is kept of it; after any other one the same key and body are to be sent
 * again. An unknown referrer is forgotten, and the order is asked for without it (spec §8).
 */
export async function sendAttempt(attempt: Attempt, send: SendOrder): Promise<Outcome> {
  const referrerId = attempt.body.referrerId ?? null;
  const answer = await ask(attempt, send);
  if ("order" in answer) {
    dropAttempt();
    dropDraft();
    return { ...answer, referrerId };
  }
  const { failure } = answer;
  if (!isOutcomeUnknown(failure)) dropAttempt();
  if (failure.kind !== "referrer-unknown" || referrerId === null) return { failure, referrerId };
  forgetReferral();
  const without = { ...attempt, key: randomHex(), body: { ...attempt.body, referrerId: null } };
  keepAttempt(without);
  return sendAttempt(without, send);
}

async function ask({ body, key }: Attempt, send: SendOrder): Promise<{ order: Order } | { failure: CreationFailure }> {
  const release = holdReload();
  try {
    return { order: await send(body, key) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("the order was not created", error.code, error.traceId);
    return { failure: readCreationFailure(error, body.rateMode) };
  } finally {
    release();
  }
}
