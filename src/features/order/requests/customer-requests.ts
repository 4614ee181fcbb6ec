import * as z from "zod/mini";
import type { Order } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { acceptRateModeChange, readOrder, sendRefundRequest } from "../api.ts";
import { isSameOffer, type Offer, type RefundInfo } from "../model/choice/choice.ts";
import { isUnconfirmed } from "../model/view/deposits.ts";
import { isUncertain, type RequestFailure, readReoffer, readRequestFailure } from "../model/choice/request-failure.ts";
import { randomHex } from "../../../shared/browser/random-hex.ts";
import { readJson, sessionStore } from "../../../shared/browser/storage.ts";

export type RequestResult = { order: Order } | { failure: RequestFailure | { kind: "not-sent" | "no-block" } };
export type RefundRecipient = { address: string; memo: string | null };

/**
 * Accepts the offer that the customer sees. The call names no offer, so the current one is fetched first: if it differs, it is
 * returned to be displayed, and nothing is accepted. The same holds for an offer that has ended, or that the market has left.
 */
export async function acceptOffer({ orderId, destinationAddress }: Order, offer: Offer): Promise<RequestResult> {
  const current = await fetchOrder(orderId, destinationAddress);
  if ("failure" in current || !isSameOffer(current.order.offer, offer)) return current;
  const body = { orderId, destinationAddress };
  const accept = async (idempotencyKey: string): Promise<Order> => {
    try {
      return await acceptRateModeChange(body, idempotencyKey);
    } catch (error) {
      const fresh = error instanceof CallError ? readReoffer(error) : undefined;
      if (fresh === undefined) throw error;
      return { ...current.order, offer: fresh };
    }
  };
  const result = await once(orderId, "accept", { ...body, offer }, accept);
  const isRefused = "failure" in result && result.failure.kind === "refused";
  return isRefused && isUnconfirmed(current.order) ? { failure: { kind: "no-block" } } : result;
}

/** Requests a refund to `recipient`, with the figures that the customer sees. */
export async function requestRefund(
  order: Order,
  recipient: RefundRecipient,
  info: RefundInfo,
): Promise<RequestResult> {
  const { orderId, destinationAddress } = order;
  const body = {
    orderId,
    destinationAddress,
    refundAddress: recipient.address.trim(),
    refundAddressMemo: recipient.memo,
    refundAmount: info.refundAmountWithoutNetworkFee,
    claimedNetworkFee: info.networkFee,
  };
  return once(orderId, "refund", body, (idempotencyKey) => sendRefundRequest(body, idempotencyKey));
}

async function fetchOrder(orderId: string, destinationAddress: string): Promise<RequestResult> {
  try {
    return { order: await readOrder({ orderId, destinationAddress }) };
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
): Promise<RequestResult> {
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

/**
 * The key of this request if it was sent before without a certain answer, also before a reload; else a new key, which
 * is saved.
 */
function attemptKey(orderId: string, action: string, body: unknown): string {
  const name = nameOf(orderId, action);
  const saved = readJson(sessionStore, name, attemptSchema);
  const requested = JSON.stringify(body);
  if (saved?.body === requested) return saved.key;
  const key = randomHex();
  sessionStore.set(name, JSON.stringify({ body: requested, key }));
  return key;
}

/** The answer is certain: the next request is another one. */
const dropAttemptKey = (orderId: string, action: string): void => sessionStore.remove(nameOf(orderId, action));
