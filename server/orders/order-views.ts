import { shareAnswer } from "../base/shared-answer.ts";
import type { Order } from "#contract/order.ts";
import type { OrderState } from "./order.ts";

/**
 * A change that no other process has published, and what changes with time alone, is shown after this. A customer's page asks every few
 * seconds.
 */
const VALID_MS = 1_000;
const MAX_VIEWS = 5_000;

export type ViewedOrder = { order: Order; state: OrderState };

/** Orders as they were shown a moment ago, so that a page that many open asks the database once a second. */
export type OrderViews = {
  /** The order by `read`, or as it was read a moment ago; null when there is none, which is never kept. */
  find(orderId: string, read: (orderId: string) => Promise<ViewedOrder | null>): Promise<ViewedOrder | null>;
  /** Forgets them all: an order has changed. */
  clear(): void;
};

export function createOrderViews({ now = () => performance.now(), max = MAX_VIEWS } = {}): OrderViews {
  /** Oldest first. */
  const views = new Map<string, { viewed: Promise<ViewedOrder | null>; at: number }>();

  const dropOld = (): void => {
    for (const [id, { at }] of views) {
      if (views.size <= max && now() - at < VALID_MS) return;
      views.delete(id);
    }
  };

  return {
    find(orderId, read) {
      dropOld();
      const known = views.get(orderId);
      if (known !== undefined) return known.viewed;
      const view = { viewed: read(orderId), at: now() };
      views.set(orderId, view);
      const forget = () => {
        if (views.get(orderId) === view) views.delete(orderId);
      };
      view.viewed.then((found) => (found === null ? forget() : void shareAnswer(found.order)), forget);
      return view.viewed;
    },
    clear: () => views.clear(),
  };
}
