import { createECDH } from "node:crypto";
import { CodedError } from "#contract/errors.ts";
import { isOrderOver } from "#contract/order-progress.ts";
import type { Order } from "#contract/order.ts";
import type { PushSubscribeBody } from "#contract/push.ts";
import type { Handlers } from "../../base/routes.ts";
import { isPushEndpoint } from "./endpoints.ts";
import type { PushServices, PushSubscriptions } from "./port.ts";

type PushCall = "pushKey" | "subscribePush" | "unsubscribePush";

export type PushParts = {
  subscriptions: PushSubscriptions;
  /** Null: push is off. */
  push: (PushServices & { publicKey: string }) | null;
};

/** The push calls of an order; whoever can open the order may subscribe to it, and is notified of their account there while signed in. */
export function pushHandlers(
  { subscriptions, push }: PushParts,
  orderService: {
    info(orderId: string, destinationAddress: string): Promise<Pick<Order, "orderId" | "status" | "orderEvents">>;
  },
): Pick<Handlers, PushCall> {
  return {
    pushKey: () => ({ publicKey: push?.publicKey ?? null }),
    async subscribePush({ body, caller: { signedIn } }) {
      if (push === null) throw new CodedError("ERR_NOT_FOUND", "Push notifications are not available here");
      const order = await orderService.info(body.orderId, body.destinationAddress);
      const errors = validationErrors(body, push);
      if (errors !== null) throw new CodedError("ERR_VALIDATION", "The request is not valid", { data: errors });
      if (isOrderOver(order)) throw ended();
      const { orderId } = order;
      const { endpoint, keys, locale } = body;
      const expiresAt = typeof body.expirationTime === "number" ? new Date(body.expirationTime) : null;
      const browser = { endpoint, ...keys, locale, expiresAt };
      const result = await subscriptions.add(orderId, browser);
      if (result === "ended") throw ended();
      if (result === "full")
        throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "This order has the maximum number of subscribed browsers");
      if (signedIn !== null) await subscriptions.addToSession(signedIn.sessionId, browser);
      return { orderId, isSubscribed: true };
    },
    async unsubscribePush({ body, caller: { signedIn } }) {
      const { orderId } = await orderService.info(body.orderId, body.destinationAddress);
      await subscriptions.remove(orderId, body.endpoint);
      if (signedIn !== null) await subscriptions.removeFromSession(signedIn.sessionId);
      return { orderId, isSubscribed: false };
    },
  };
}

const ended = (): CodedError =>
  new CodedError("ERR_UNPROCESSABLE_ENTITY", "This order has ended: there is nothing more to notify about");

function validationErrors(
  { endpoint, keys }: PushSubscribeBody,
  services: PushServices,
): Record<string, string> | null {
  if (!isPushEndpoint(endpoint, services)) return { endpoint: "is not an address of a known push service" };
  return isOnCurve(keys.p256dh) ? null : { "keys.p256dh": "is not a point on the curve" };
}

/** Nothing can be encrypted for an invalid key. */
function isOnCurve(point: string): boolean {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  try {
    pair.computeSecret(point, "base64url");
    return true;
  } catch {
    return false;
  }
}
