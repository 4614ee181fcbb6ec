import type { AnswerOf, BodyInput } from "#contract/calls.ts";
import { SANDBOX_TOKEN_HEADER, SANDBOX_TOKEN_META } from "#contract/headers.ts";
import type { Order } from "#contract/order.ts";
import { call } from "../../shared/http/http.ts";

/** Opens an order; of a whole `Order` only these two are sent. */
export type OrderKey = Pick<Order, "orderId" | "destinationAddress">;

/** An order as the service has it now. */
export const readOrder = ({ orderId, destinationAddress }: OrderKey, signal?: AbortSignal): Promise<Order> =>
  call("orderInfo", { query: { orderId, destinationAddress }, ...(signal && { signal }) });

/** How far an order is, by its id alone. */
export const readOrderState = (orderId: string) => call("orderState", { query: { orderId } });

/** What a refund would return now. */
export const readRefundInfo = ({ orderId, destinationAddress }: OrderKey): Promise<AnswerOf<"refundInfo">> =>
  call("refundInfo", { query: { orderId, destinationAddress } });

/** The same key accepts once. */
export const acceptRateModeChange = (body: BodyInput<"acceptRateModeChange">, idempotencyKey: string): Promise<Order> =>
  call("acceptRateModeChange", { body, idempotencyKey });

/** The same key requests once. */
export const sendRefundRequest = (body: BodyInput<"requestRefund">, idempotencyKey: string): Promise<Order> =>
  call("requestRefund", { body, idempotencyKey });

/** Ends a refund that waits; gives the order's reference. */
export const stopRefund = (body: BodyInput<"stopRefund">) => call("stopRefund", { body });

/** The page knows the destination address, so the email is confirmed at once (contract §3). */
export const setEmail = (body: BodyInput<"setEmail">) => call("setEmail", { body });

/** The key that a browser subscribes with; null where the service sends no notices. */
export const readPushKey = async (): Promise<string | null> => (await call("pushKey")).publicKey;

export const subscribePush = (body: BodyInput<"subscribePush">) => call("subscribePush", { body });

export const unsubscribePush = (body: BodyInput<"unsubscribePush">) => call("unsubscribePush", { body });

/** Pays an order on the local network (contract §7). */
export const paySandbox = (orderId: string) => call("sandboxPay", { body: { orderId }, headers: ownToken() });

/** The server writes it into pages that may use the sandbox, and refuses the call of others (contract §7). */
function ownToken(): Record<string, string> {
  const token = document.querySelector<HTMLMetaElement>(`meta[name=${SANDBOX_TOKEN_META}]`)?.content;
  return token === undefined ? {} : { [SANDBOX_TOKEN_HEADER]: token };
}
