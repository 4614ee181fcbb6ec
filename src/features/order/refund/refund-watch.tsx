import type { Order } from "#contract/order.ts";
import { useRefundInfo } from "../use-refund-info.ts";

/** Loads what a refund would return, so that it is there when its owner is asked (spec §4). */
export default function RefundWatch({ order }: { readonly order: Order }) {
  useRefundInfo(order, true);
  return null;
}
