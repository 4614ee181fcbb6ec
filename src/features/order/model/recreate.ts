import type { Order } from "#contract/order.ts";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
import type { ExchangeDraft } from "../../../shared/browser/exchange-draft.ts";

const pairOf = ({ pair: { instrumentFrom, instrumentTo } }: Order): string =>
  formatPairSlug({ from: instrumentFrom.slug, to: instrumentTo.slug });

/** The calculator of the order's pair, without language prefix. */
export const exchangePath = (order: Order): string => `/exchange-${pairOf(order)}`;

/** The calculator with what an order asked for: its pair, its amount and its rate mode. */
export function recreatePath(order: Order): string {
  const query = new URLSearchParams({ amount: order.claimedDepositAmount });
  if (order.rateMode === "FIXED") query.set("mode", "fixed");
  return `${exchangePath(order)}?${query.toString()}`;
}

/** The destination step with the addresses and the email of an order; the terms are accepted anew. */
export const recreateDraft = (order: Order): ExchangeDraft => ({
  pair: pairOf(order),
  texts: {
    destination: order.destinationAddress,
    memo: order.destinationAddressMemo ?? "",
    refund: order.refundAddress ?? "",
    refundMemo: order.refundAddressMemo ?? "",
  },
  ticks: {
    isMemoWaived: order.pair.instrumentTo.requiresMemo && order.destinationAddressMemo === null,
    areTermsAccepted: false,
  },
  // What was set by the order's id alone could be anybody's.
  email: order.isEmailConfirmed ? order.userEmail : null,
});
