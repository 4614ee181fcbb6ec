import { setBounded } from "../../base/bounded-map.ts";
import { shareAnswer } from "../../base/shared-answer.ts";
import type { Order } from "#contract/order.ts";
import type { OrderState } from "../decisions/order.ts";

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
  /** Another one whenever the views are forgotten: what was made of them may be given while it stays the same. */
  version(): unknown;
  /** Forgets them all: an order has changed. */
  clear(): void;
};

export function createOrderViews({ now = () => performance.now(), max = MAX_VIEWS } = {}): OrderViews {
  /** Oldest first. */
  const views = new Map<string, Promise<ViewedOrder | null>>();
  let version = {};
  let since = now();

  const clear = (): void => {
    views.clear();
    version = {};
    since = now();
  };
  const dropOld = (): void => {
    if (now() - since >= VALID_MS) clear();
  };

  return {
    find(orderId, read) {
      dropOld();
      const known = views.get(orderId);
      if (known !== undefined) return known;
      const viewed = read(orderId);
      setBounded(views, orderId, viewed, max);
      const forget = () => {
        if (views.get(orderId) === viewed) views.delete(orderId);
      };
      viewed.then((found) => (found === null ? forget() : void shareAnswer(found.order)), forget);
      return viewed;
    },
    version: () => {
      dropOld();
      return version;
    },
    clear,
  };
}
