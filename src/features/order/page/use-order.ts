import { useDeferredValue, useEffect, useRef, useState } from "react";
import useSWR from "swr";
import type { Order } from "#contract/order.ts";
import { isUnreachable } from "../../../shared/http/call-error.ts";
import { serverNow } from "../../../shared/http/server-clock.ts";
import { usePageNow } from "../../../shared/page/page-context.ts";
import { readOrder, readRefundInfo } from "../api.ts";
import { isAddressIncorrect, type OrderPageData } from "../load.ts";
import type { RefundInfo } from "../model/choice/choice.ts";
import { depositedTotal } from "../model/view/deposits.ts";
import { POLL_MS, pollInterval } from "../model/view/screen.ts";
import { isWatched, useAbortOnHide, useOnRestore, WHILE_WATCHED } from "./polling.ts";

/** An order and when it was received, by the service's clock, ISO-8601. */
type ReceivedOrder = { readonly order: Order; readonly seenAt: string };

export type LiveOrder = {
  readonly seen: ReceivedOrder | null;
  /** The service knows no such pair of id and address; polling has ended. */
  readonly isAddressIncorrect: boolean;
  /** The last request failed: what is shown is older than it should be. */
  readonly isFailing: boolean;
  /** Asks again; gives the order as it was last seen. */
  refresh: () => Promise<Order | undefined>;
  /** Shows an order that came as the answer to another call. */
  show: (order: Order) => void;
};

/**
 * An order polled by the rule of spec §4: every 5 s until step 3, or until its address is judged incorrect, while the
 * page is visible and online, and at once when it becomes so again. Needs an SWR cache of its own, so that the page's
 * data is the first.
 */
export function useOrder(data: OrderPageData, offset: number): LiveOrder {
  const pageNow = usePageNow();
  const [first] = useState(() => firstOf(data, pageNow));
  const isFirstOld = first === undefined || (data.kind === "found" && data.savedAt !== null);
  const [isPolled, setPolled] = useState(() => isFirstOld || pollInterval(first?.order, false) > 0);
  const { begin } = useAbortOnHide();
  const latest = useRef(first);
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { orderId, destinationAddress } = data;

  const load = async (): Promise<ReceivedOrder> => {
    const signal = begin();
    try {
      const order = await readOrder({ orderId, destinationAddress }, signal);
      return { order, seenAt: serverTime(offset) };
    } catch (error) {
      // The page was put into the back-forward cache: it asks again when it is shown.
      if (signal.aborted && latest.current !== undefined) return latest.current;
      throw error;
    }
  };
  const swr = useSWR<ReceivedOrder, Error>(["order", orderId, destinationAddress], load, {
    fallbackData: first,
    revalidateOnMount: isFirstOld,
    revalidateOnFocus: isPolled,
    revalidateOnReconnect: isPolled,
    refreshInterval: isPolled ? POLL_MS : 0,
    ...WHILE_WATCHED,
    onErrorRetry: (error, _key, _config, revalidate, options) => {
      if (isAddressIncorrect(error)) return;
      clearTimeout(retry.current);
      retry.current = setTimeout(() => isWatched() && void revalidate(options), POLL_MS);
    },
  });
  latest.current = swr.data;
  const isIncorrect = isAddressIncorrect(swr.error);
  const isFailing = swr.error !== undefined && !isIncorrect;
  const isDue = isFailing || pollInterval(swr.data?.order, isIncorrect) > 0;
  // A saved copy is asked for once even when it is final.
  const isAnswered = swr.data !== first || swr.error !== undefined;
  if (isPolled !== isDue && (isAnswered || !isFirstOld)) setPolled(isDue);
  const refresh = async () => (await swr.mutate())?.order;
  useOnRestore(() => {
    if (isPolled && isWatched()) void refresh();
  });
  useEffect(() => () => clearTimeout(retry.current), []);
  // The screen before stays until the code of the next one has loaded.
  const seen = useDeferredValue(swr.data ?? null);

  return {
    seen,
    isAddressIncorrect: isIncorrect,
    isFailing,
    refresh,
    show: (order) => void swr.mutate({ order, seenAt: serverTime(offset) }, { revalidate: false }),
  };
}

const serverTime = (offset: number): string => new Date(serverNow(offset)).toISOString();

const firstOf = (data: OrderPageData, pageNow: string): ReceivedOrder | undefined =>
  data.kind === "found" ? { order: data.order, seenAt: data.savedAt ?? pageNow } : undefined;

export type LiveRefundInfo = {
  info: RefundInfo | "loading" | "failed";
  /** Takes fresher figures that came with an answer. */
  put: (info: RefundInfo) => void;
  retry: () => void;
};

/** What a refund would return, loaded anew for every amount that has arrived; only while `isWanted`. */
export function useRefundInfo(order: Order, isWanted: boolean): LiveRefundInfo {
  const key = isWanted ? ["refund-info", order.orderId, depositedTotal(order)] : null;
  const { data, error, mutate } = useSWR<RefundInfo, Error>(key, () => readRefundInfo(order), {
    shouldRetryOnError: isUnreachable,
    revalidateOnFocus: false,
    refreshInterval: (latest) => (order.deposits.length > 0 && latest !== undefined && !isKnown(latest) ? POLL_MS : 0),
  });
  return {
    info: data !== undefined && isKnown(data) ? data : error === undefined ? "loading" : "failed",
    put: (info) => void mutate(info, { revalidate: false }),
    retry: () => void mutate(),
  };
}

/** Both figures are "0" while no deposit is counted (contract §3): not a refund to show. */
const isKnown = ({ refundAmountWithoutNetworkFee, networkFee }: RefundInfo): boolean =>
  refundAmountWithoutNetworkFee !== "0" || networkFee !== "0";
