import useSWR from "swr";
import type { Order } from "#contract/order.ts";
import { isUnreachable } from "../../shared/http/call-error.ts";
import { call } from "../../shared/http/http.ts";
import type { RefundInfo } from "./model/choice.ts";
import { POLL_MS } from "./model/screen.ts";
import { depositedTotal } from "./model/deposits.ts";

export type LiveRefundInfo = {
  info: RefundInfo | "loading" | "failed";
  /** Takes fresher figures that came with an answer. */
  put: (info: RefundInfo) => void;
  retry: () => void;
};

/** What a refund would return, anew for every sum that has arrived; asked for while `isWanted`. */
export function useRefundInfo(order: Order, isWanted: boolean): LiveRefundInfo {
  const { orderId } = order;
  const key = isWanted ? ["refund-info", orderId, depositedTotal(order)] : null;
  const { data, error, mutate } = useSWR<RefundInfo, Error>(key, () => call("refundInfo", { query: { orderId } }), {
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
