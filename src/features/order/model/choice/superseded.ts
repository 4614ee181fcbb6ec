import { isSameAddress } from "#contract/address.ts";
import type { Order, OrderEventKind } from "#contract/order.ts";

/** What a customer asks of an order: to accept the offer, or a refund to an address. */
export type CustomerAnswer =
  | { kind: "accept" }
  | { kind: "refund"; recipient: { address: string; memo: string | null } };

/**
 * Why an answer was not taken, by the order as it was when it was given and as it is since: another answer came first (from another tab,
 * or from whoever else has the link), or the payout had begun. Null where neither is so.
 */
export function supersededBy(answer: CustomerAnswer, before: Order, now: Order): "answer" | "payout" | null {
  const isNew = (kind: OrderEventKind): boolean => has(now, kind) && !has(before, kind);
  if (answer.kind === "accept") return isNew("REFUND_REQUESTED") ? "answer" : null;
  if (isNew("REFUND_REQUESTED")) return isRefundedTo(now, answer.recipient) ? null : "answer";
  if (isNew("RATE_MODE_CHANGE_ACCEPTED")) return "answer";
  return isNew("FUNDS_WITHDRAWAL_START") ? "payout" : null;
}

const has = ({ orderEvents }: Order, kind: OrderEventKind): boolean => orderEvents.some((event) => event.kind === kind);

const isRefundedTo = (
  { refundAddress, refundAddressMemo }: Order,
  { address, memo }: { address: string; memo: string | null },
) => refundAddress !== null && isSameAddress(refundAddress, address) && (refundAddressMemo ?? "") === (memo ?? "");
