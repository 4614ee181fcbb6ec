import { useEffect, useRef, useState } from "react";
import { call } from "../../../shared/http/http.ts";
import { savedOrders } from "../store.ts";
import { EMPTY_LIST, type SavedOrderWatch, type SavedOrderListState, watchSavedOrders } from "./saved-order-watch.ts";

export type ListedOrders = SavedOrderListState & {
  readonly refresh: () => void;
  readonly forget: (orderIds: readonly string[]) => Promise<void>;
};

/** The orders kept on this device: shown at once, the unfinished ones looked at while the page is seen and there is a network. */
export function useSavedOrders(offset: number): ListedOrders {
  const [shelf, setShelf] = useState(EMPTY_LIST);
  const watch = useRef<SavedOrderWatch>(null);

  useEffect(() => {
    const current = watchSavedOrders({
      kept: savedOrders,
      look: async ({ order: { orderId }, destinationAddress }, signal) => {
        const order = await call("orderInfo", { query: { orderId, destinationAddress }, signal });
        return { order, destinationAddress, seenAt: new Date(Date.now() + offset).toISOString() };
      },
      isWatched: () => document.visibilityState === "visible" && navigator.onLine,
      onChange: setShelf,
    });
    watch.current = current;
    const resume = () => void current.refresh();
    resume();
    document.addEventListener("visibilitychange", resume);
    for (const event of ["pageshow", "online"]) addEventListener(event, resume);
    addEventListener("pagehide", current.pause);
    return () => {
      document.removeEventListener("visibilitychange", resume);
      for (const event of ["pageshow", "online"]) removeEventListener(event, resume);
      removeEventListener("pagehide", current.pause);
      current.pause();
    };
  }, [offset]);

  const refresh = () => {
    watch.current?.pause();
    void watch.current?.refresh();
  };
  return {
    ...shelf,
    refresh,
    forget: async (orderIds) => {
      await savedOrders.forget(orderIds);
      refresh();
    },
  };
}
