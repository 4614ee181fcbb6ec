import * as z from "zod/mini";
import type { Order } from "#contract/order.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { call as callService } from "../../shared/http/http.ts";
import { isSameOffer, type Offer, type RefundInfo } from "./model/choice.ts";
import { isUncertain, type RequestFailure, readRequestFailure } from "./model/request-failure.ts";
import { randomHex } from "../../shared/browser/random-hex.ts";
import { readJson, sessionStore } from "../../shared/browser/storage.ts";

export type Outcome = { order: Order } | { failure: RequestFailure | { kind: "not-sent" } };
export type RefundRecipient = { address: string; memo: string | null };

/**
 * Takes the offer that its owner sees. The call names no offer, so the one on record is looked at first: when it is another, it
 * is given back to be shown, and nothing is accepted.
 */
export async function acceptOffer({ orderId, destinationAddress }: Order, offer: Offer): Promise<Outcome> {
  const current = await lookAt(orderId, destinationAddress);
  if ("failure" in current || !isSameOffer(current.order.offer, offer)) return current;
  const body = { orderId, destinationAddress };
  return once(orderId, "accept", { ...body, offer }, (idempotencyKey) =>
    callService("acceptRateModeChange", { body, idempotencyKey }),
  );
}

/** Asks for the deposit back to `place`, echoing the figures that its owner sees. */
export async function askForRefund(order: Order, place: RefundRecipient, info: RefundInfo): Promise<Outcome> {
  const { orderId, destinationAddress } = order;
  const body = {
    orderId,
    destinationAddress,
    refundAddress: place.address.trim(),
    refundAddressMemo: place.memo,
    refundAmount: info.refundAmountWithoutNetworkFee,
    claimedNetworkFee: info.networkFee,
  };
  return once(orderId, "refund", body, (idempotencyKey) => callService("requestRefund", { body, idempotencyKey }));
}

async function lookAt(orderId: string, destinationAddress: string): Promise<Outcome> {
  try {
    return { order: await callService("orderInfo", { query: { orderId, destinationAddress } }) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { failure: { kind: "not-sent" } };
  }
}

async function once(
  orderId: string,
  action: string,
  body: unknown,
  send: (key: string) => Promise<Order>,
): Promise<Outcome> {
  try {
    const order = await send(attemptKey(orderId, action, body));
    dropAttemptKey(orderId, action);
    return { order };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn(`the ${action} was not answered with an order`, error.code, error.traceId);
    const failure = readRequestFailure(error);
    if (!isUncertain(failure)) dropAttemptKey(orderId, action);
    return { failure };
  }
}

const attemptSchema = z.object({ body: z.string(), key: z.string() });

const nameOf = (orderId: string, action: string): string => `order-${action}:v1:${orderId}`;

/** The key under which this very request was already sent without a certain answer, also before a reload; else a new one, kept. */
function attemptKey(orderId: string, action: string, body: unknown): string {
  const name = nameOf(orderId, action);
  const saved = readJson(sessionStore, name, attemptSchema);
  const asked = JSON.stringify(body);
  if (saved?.body === asked) return saved.key;
  const key = randomHex();
  sessionStore.set(name, JSON.stringify({ body: asked, key }));
  return key;
}

/** The answer is certain: the next request is another one. */
const dropAttemptKey = (orderId: string, action: string): void => sessionStore.remove(nameOf(orderId, action));
