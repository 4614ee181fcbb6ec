import { createECDH } from "node:crypto";
import { CodedError } from "#contract/errors.ts";
import type { Order } from "#contract/order.ts";
import { stepIndex } from "#contract/order-progress.ts";
import type { PushSubscribeBody } from "#contract/push.ts";
import type { Handlers } from "../../base/routes.ts";
import { isPushPlace } from "./places.ts";
import type { PushPlaces, PushSubscriptions } from "./port.ts";

type PushCall = "pushKey" | "subscribePush" | "unsubscribePush";

export type PushParts = {
  subscriptions: PushSubscriptions;
  /** Null: nobody is told by push. */
  offered: (PushPlaces & { publicKey: string }) | null;
};

/** The calls about being told of an order by push; whoever opens the order may subscribe to it. */
export function pushHandlers(
  { subscriptions, offered }: PushParts,
  orderService: { info(orderId: string, destinationAddress: string): Promise<Pick<Order, "orderId" | "orderEvents">> },
): Pick<Handlers, PushCall> {
  return {
    pushKey: () => ({ publicKey: offered?.publicKey ?? null }),
    async subscribePush({ body }) {
      if (offered === null) throw new CodedError("ERR_NOT_FOUND", "Nobody is told by push here");
      const { orderId, orderEvents } = await orderService.info(body.orderId, body.destinationAddress);
      const wrong = wrongWith(body, offered);
      if (wrong !== null) throw new CodedError("ERR_VALIDATION", "The request is not valid", { data: wrong });
      if (stepIndex(orderEvents) >= 3)
        throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "This order has ended: there is nothing more to be told");
      const { endpoint, keys, locale } = body;
      const expiresAt = typeof body.expirationTime === "number" ? new Date(body.expirationTime) : null;
      if (!(await subscriptions.add(orderId, { endpoint, ...keys, locale, expiresAt })))
        throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "As many browsers as may be are told of this order already");
      return { orderId, isSubscribed: true };
    },
    async unsubscribePush({ body }) {
      const { orderId } = await orderService.info(body.orderId, body.destinationAddress);
      await subscriptions.remove(orderId, body.endpoint);
      return { orderId, isSubscribed: false };
    },
  };
}

function wrongWith({ endpoint, keys }: PushSubscribeBody, places: PushPlaces): Record<string, string> | null {
  if (!isPushPlace(endpoint, places)) return { endpoint: "is not an address of a known push service" };
  return isOnCurve(keys.p256dh) ? null : { "keys.p256dh": "is no point of the curve" };
}

/** What isn't could not be encrypted for. */
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
