import type { Order } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { forgetReferral } from "../../../shared/browser/referral.ts";
import { randomHex } from "../../../shared/browser/random-hex.ts";
import { rememberForm } from "../../../shared/browser/created-orders.ts";
import { rememberPayment } from "../../../shared/browser/pending-payment.ts";
import { blockReload } from "../../../pwa/reload-block.ts";
import { type CreationFailure, isOutcomeUnknown, readCreationFailure } from "../model/creation-failure.ts";
import type { OrderBody } from "../model/order-body.ts";
import { type Attempt, clearAttempt, saveAttempt, readAttempt } from "./attempt.ts";
import { clearDraft } from "../store/draft.ts";
import { track } from "../../../shared/analytics/track.ts";

export type SendOrder = (body: OrderBody, idempotencyKey: string) => Promise<Order>;

/** `referrerId` is the one that was sent last: an unknown one is left out. */
export type SendResult = { referrerId: string | null } & ({ order: Order } | { failure: CreationFailure });

/**
 * Sends an attempt once. A certain outcome drops what is kept of it; after any other one the same key and body are to be sent
 * again. An unknown referrer is forgotten, and the order is asked for without it (spec §8).
 */
export async function sendAttempt(attempt: Attempt, send: SendOrder): Promise<SendResult> {
  const referrerId = attempt.body.referrerId ?? null;
  const answer = await ask(attempt, send);
  if ("order" in answer) {
    clearAttempt();
    clearDraft();
    if (answer.order.card !== null) rememberPayment(answer.order.orderId);
    rememberForm(answer.order.orderId, withoutStep(attempt.returnTo));
    return { ...answer, referrerId };
  }
  const { failure } = answer;
  if (!isOutcomeUnknown(failure)) clearAttempt();
  if (failure.kind !== "referrer-unknown" || referrerId === null) return { failure, referrerId };
  forgetReferral();
  const without = { ...attempt, key: randomHex(), body: { ...attempt.body, referrerId: null } };
  saveAttempt(without);
  return sendAttempt(without, send);
}

/** The calculator that leads to a destination step. */
function withoutStep(path: string): string {
  const { pathname, searchParams } = new URL(path, "https://path.invalid");
  searchParams.delete("step");
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams.toString()}`;
}

async function ask({ body, key }: Attempt, send: SendOrder): Promise<{ order: Order } | { failure: CreationFailure }> {
  const release = blockReload();
  try {
    return { order: await send(body, key) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("the order was not created", error.code, error.traceId);
    const failure = readCreationFailure(error, body.rateMode);
    if (failure.kind !== "rate-moved") return { failure };
    const before = { give: body.claimedDepositAmount, get: body.claimedPublicRate.claimedAmountToReceive };
    return { failure: { ...failure, before } };
  } finally {
    release();
  }
}

/** As the health check of spec §9 begins, backs off and ends. */
const FIRST_PAUSE_MS = 2_000;
const FACTOR = 1.5;
const LONGEST_PAUSE_MS = 30_000;

type Pursuit = { readonly signal: AbortSignal; readonly onUnanswered: () => void };

/**
 * Asks for the same order again and again until it is answered, at once when the network comes back. Null when it was
 * given up by the signal, which `send` must follow too: what is kept then stays for the next press.
 */
export async function retryAttempt(
  first: Attempt,
  send: SendOrder,
  { signal, onUnanswered }: Pursuit,
): Promise<SendResult | null> {
  try {
    let attempt = first;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * FACTOR, LONGEST_PAUSE_MS)) {
      const outcome = await sendAttempt(attempt, send);
      if ("order" in outcome || outcome.failure.kind !== "outcome-unknown") return outcome;
      onUnanswered();
      await pauseOrOnline(pauseMs, signal);
      signal.throwIfAborted();
      attempt = readAttempt() ?? attempt;
    }
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function pauseOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      globalThis.removeEventListener("online", finish);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    globalThis.addEventListener("online", finish);
    signal.addEventListener("abort", finish);
  });
}

/** spec §4, exchange flow */
export function trackInitiated({ pair, rateMode }: Order): void {
  track({ event: "exchange initiated", from: pair.instrumentFrom.slug, to: pair.instrumentTo.slug, rateMode });
}
