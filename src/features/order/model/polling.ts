import type { Order } from "#contract/order.ts";
import { keepsPolling } from "#contract/order-progress.ts";

/** spec §4, §9 */
export const POLL_MS = 5000;

/** Milliseconds to the next look at an order, 0 when there is none; an order not seen yet is still looked for. */
export const pollInterval = (order: Order | undefined, isAddressIncorrect: boolean): number =>
  keepsPolling(order?.orderEvents ?? [], isAddressIncorrect) ? POLL_MS : 0;
