import { startTransition, useEffect, useRef, useState } from "react";
import type { Order } from "#contract/order.ts";
import { call } from "../../shared/http/http.ts";
import { usePageNow } from "../../shared/page/page-context.ts";
import type { OrderPageData } from "./load.ts";
import { type OrderWatch, type Watched, watchOrder } from "./order-watch.ts";

type LiveOrder = Watched & {
  refresh: () => Promise<void>;
  /** Shows an order that came as the answer to another call. */
  show: (order: Order) => void;
};

/** An order kept fresh: polled by the rule of spec §4 while its page is seen, and at once when it is seen again. */
export function useOrder(data: OrderPageData, offset: number): LiveOrder {
  const pageNow = usePageNow();
  const [watched, setWatched] = useState(() => firstOf(data, pageNow));
  const latest = useRef(watched);
  const watch = useRef<OrderWatch>(null);
  const { orderId, destinationAddress } = data;
  const savedAt = data.kind === "found" ? data.savedAt : null;

  useEffect(() => {
    const current = watchOrder({
      first: latest.current,
      isFirstOld: savedAt !== null && savedAt === latest.current.seen?.seenAt,
      look: async (signal) => {
        const order = await call("orderInfo", { query: { orderId, destinationAddress }, signal });
        return { order, seenAt: serverTime(offset) };
      },
      isWatched: () => document.visibilityState === "visible" && navigator.onLine,
      onChange: (changed) => {
        latest.current = changed;
        // The screen before stays until the code of the next one is there.
        startTransition(() => setWatched(changed));
      },
    });
    watch.current = current;
    const stopFollowing = followPage(current);
    return () => {
      stopFollowing();
      current.pause();
    };
  }, [orderId, destinationAddress, savedAt, offset]);

  return {
    ...watched,
    refresh: async () => watch.current?.checkNow(),
    show: (order) => watch.current?.put({ order, seenAt: serverTime(offset) }),
  };
}

/** Looks again when the page is seen, connected, or brought back whole from the back-forward cache, for which a request is broken off. */
function followPage({ resume, pause }: OrderWatch): () => void {
  document.addEventListener("visibilitychange", resume);
  for (const event of ["pageshow", "online"]) addEventListener(event, resume);
  addEventListener("pagehide", pause);
  return () => {
    document.removeEventListener("visibilitychange", resume);
    for (const event of ["pageshow", "online"]) removeEventListener(event, resume);
    removeEventListener("pagehide", pause);
  };
}

const serverTime = (offset: number): string => new Date(Date.now() + offset).toISOString();

const firstOf = (data: OrderPageData, pageNow: string): Watched => ({
  seen: data.kind === "found" ? { order: data.order, seenAt: data.savedAt ?? pageNow } : null,
  isAddressIncorrect: false,
  isFailing: false,
});
