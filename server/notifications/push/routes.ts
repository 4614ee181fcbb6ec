import { createECDH } from "node:crypto";
import type { accountPushCalls } from "#contract/calls/account-push.ts";
import { CodedError } from "#contract/errors.ts";
import { isOrderOver } from "#contract/order-progress.ts";
import type { Order } from "#contract/order.ts";
import type { AccountPushBody } from "#contract/accounts/push.ts";
import type { Handlers } from "../../base/routes.ts";
import { isPushEndpoint } from "./endpoints.ts";
import type { NewSubscription, PushServices, PushSubscriptions } from "./port.ts";

type PushCall = "pushKey" | "subscribePush" | "unsubscribePush" | keyof typeof accountPushCalls;

export type PushParts = {
  subscriptions: PushSubscriptions;
  /** Null: push is off. */
  push: (PushServices & { publicKey: string }) | null;
};

/** The push calls: whoever can open an order may subscribe to it, and is notified of their account there while signed in, also without an order. */
export function pushHandlers(
  { subscriptions, push }: PushParts,
  orderService: {
    info(orderId: string, destinationAddress: string): Promise<Pick<Order, "orderId" | "status" | "orderEvents">>;
  },
): Pick<Handlers, PushCall> {
  return {
    pushKey: () => ({ publicKey: push?.publicKey ?? null }),
    async subscribePush({ body, caller: { signedIn } }) {
      if (push === null) throw isOff();
      const order = await orderService.info(body.orderId, body.destinationAddress);
      const browser = browserOf(body, push);
      if (isOrderOver(order)) throw ended();
      const { orderId } = order;
      const result = await subscriptions.add(orderId, browser);
      if (result === "ended") throw ended();
      if (result === "full")
        throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "This order has the maximum number of subscribed browsers");
      if (signedIn !== null) await subscriptions.addToSession(signedIn.sessionId, browser, "withOrder");
      return { orderId, isSubscribed: true, isAccountSubscribed: signedIn !== null };
    },
    async unsubscribePush({ body, caller: { signedIn } }) {
      const { orderId } = await orderService.info(body.orderId, body.destinationAddress);
      await subscriptions.remove(orderId, body.endpoint);
      if (signedIn === null) return { orderId, isSubscribed: false, isAccountSubscribed: false };
      await subscriptions.removeFromSession(signedIn.sessionId);
      const isAccountSubscribed = (await subscriptions.ofSession(signedIn.sessionId)) === body.endpoint;
      return { orderId, isSubscribed: false, isAccountSubscribed };
    },
    accountPush: async ({ caller }) => ({
      publicKey: push?.publicKey ?? null,
      endpoint: await subscriptions.ofSession(caller.signedIn.sessionId),
    }),
    async subscribeAccountPush({ body, caller }) {
      if (push === null) throw isOff();
      await subscriptions.addToSession(caller.signedIn.sessionId, browserOf(body, push), "itself");
      return { publicKey: push.publicKey, endpoint: body.endpoint };
    },
    unsubscribeAccountPush: async ({ caller }) => ({
      isEndpointUsed: await subscriptions.endOfSession(caller.signedIn.sessionId),
    }),
  };
}

const isOff = (): CodedError => new CodedError("ERR_NOT_FOUND", "Push notifications are not available here");

const ended = (): CodedError =>
  new CodedError("ERR_UNPROCESSABLE_ENTITY", "This order has ended: there is nothing more to notify about");

/** ERR_VALIDATION for what nothing can be sent to. */
function browserOf(body: AccountPushBody, services: PushServices): NewSubscription {
  const { endpoint, keys, locale, expirationTime } = body;
  const errors = validationErrors(body, services);
  if (errors !== null) throw new CodedError("ERR_VALIDATION", "The request is not valid", { data: errors });
  return { endpoint, ...keys, locale, expiresAt: typeof expirationTime === "number" ? new Date(expirationTime) : null };
}

function validationErrors(
  { endpoint, keys }: Pick<AccountPushBody, "endpoint" | "keys">,
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
