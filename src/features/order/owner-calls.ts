import type { Order } from "#contract/order.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { call as callService } from "../../shared/http/http.ts";
import { attemptKey, dropAttemptKey } from "./attempt-key.ts";
import { isSameOffer, type Offer, type RefundInfo } from "./model/choice.ts";
import { isUncertain, type OwnerFailure, readOwnerFailure } from "./model/owner-failure.ts";

export type Outcome = { order: Order } | { failure: OwnerFailure | { kind: "not-sent" } };
export type RefundPlace = { address: string; memo: string | null };

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
export async function askForRefund(order: Order, place: RefundPlace, info: RefundInfo): Promise<Outcome> {
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
    const failure = readOwnerFailure(error);
    if (!isUncertain(failure)) dropAttemptKey(orderId, action);
    return { failure };
  }
}
