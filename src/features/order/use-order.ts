import { useEffect, useEffectEvent, useState } from "react";
import useSWR from "swr";
import type { Order } from "#contract/order.ts";
import { call } from "../../lib/http.ts";
import { usePageNow } from "../../lib/page.ts";
import { isAddressIncorrect, type OrderPageData } from "./load.ts";
import { POLL_MS, pollInterval } from "./model/polling.ts";

type Seen = { order: Order; seenAt: string };

export type LiveOrder = {
  order: Order | undefined;
  /** When the shown order came from the service, by its clock, ISO-8601. */
  seenAt: string | null;
  isAddressIncorrect: boolean;
  /** The last look failed: what is shown is older than it should be. */
  isFailing: boolean;
  refresh: () => Promise<void>;
  /** Shows an order that came as the answer to another call. */
  show: (order: Order) => void;
};

/** An order kept fresh: polled by the rule of spec §4 while its page is seen, and at once when it is seen again. */
export function useOrder(data: OrderPageData, offset: number): LiveOrder {
  const { orderId, destinationAddress } = data;
  const first = firstSeen(data, usePageNow());
  const [isRefused, setRefused] = useState(false);
  const look = async (): Promise<Seen> => {
    const order = await call("orderInfo", { query: { orderId, destinationAddress } });
    return { order, seenAt: serverTime(offset) };
  };
  const seen = useSWR<Seen, Error>(["order", orderId, destinationAddress], look, {
    ...(first === null ? {} : { fallbackData: first }),
    revalidateOnMount: data.kind !== "found" || data.keptAt !== null,
    refreshInterval: (latest) => pollInterval((latest ?? first)?.order, isRefused),
    dedupingInterval: 1000,
    focusThrottleInterval: 1000,
    onErrorRetry: (failure, _key, _config, revalidate, { retryCount }) => {
      if (isAddressIncorrect(failure)) setRefused(true);
      else setTimeout(() => isWatched() && void revalidate({ retryCount }), POLL_MS);
    },
  });
  const { mutate } = seen;
  useResumed(() => void mutate());
  return {
    order: seen.data?.order,
    seenAt: seen.data?.seenAt ?? null,
    isAddressIncorrect: isRefused,
    isFailing: seen.error !== undefined && !isRefused,
    refresh: async () => {
      await mutate();
    },
    show: (order) => void mutate({ order, seenAt: serverTime(offset) }, { revalidate: false }),
  };
}

const serverTime = (offset: number): string => new Date(Date.now() + offset).toISOString();

/** A hidden or offline page does not look; SWR looks again by itself when it is seen or connected. */
const isWatched = (): boolean => document.visibilityState === "visible" && navigator.onLine;

function firstSeen(data: OrderPageData, pageNow: string): Seen | null {
  return data.kind === "found" ? { order: data.order, seenAt: data.keptAt ?? pageNow } : null;
}

/** Calls back when the browser brings the whole page back from its back-forward cache. */
function useResumed(onResumed: () => void): void {
  const resume = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) onResumed();
  });
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => resume(event);
    addEventListener("pageshow", listener);
    return () => removeEventListener("pageshow", listener);
  }, []);
}
