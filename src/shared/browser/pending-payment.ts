import { sessionStore } from "./storage.ts";

const KEY = "card-payment";

/** An order by card was just created in this tab: its page opens with the way to the payment. */
export const rememberPayment = (orderId: string): void => sessionStore.set(KEY, orderId);

/** Whether that is this order; true once. */
export function takePayment(orderId: string): boolean {
  const isPending = sessionStore.get(KEY) === orderId;
  if (isPending) sessionStore.remove(KEY);
  return isPending;
}
