import { toMinor } from "#contract/money.ts";
import { hasNothingAlive, isRefundUncertain } from "../../treasury/index.ts";
import type { AbandonUnopened } from "../../liquidity/port.ts";
import type { ReversalOf } from "../../treasury/port.ts";
import { sumOf, type OrderSession } from "../processing/session.ts";

type Parts = {
  /** Network fee of a refund in its own minor units; null while unknown. */
  returnFee(slug: string): bigint | null;
  reversalOf: ReversalOf;
  abandonUnopened: AbandonUnopened;
};

/**
 * Turns a payout that an operator gave up into a refund of the deposits: the exchange is reversed, and the order's one payment row
 * becomes free for the refund (engine law 4). One that a partner was to make becomes one while its exchange was not opened. True while the
 * fee is unknown, and while a payment that no row knows may have made the payout.
 */
export async function refundInstead(parts: Parts, session: OrderSession): Promise<boolean> {
  const state = session.state();
  if (state.kind !== "refunding" && state.kind !== "paying") return false;
  const { transaction, order, at } = session;
  const payout = await transaction
    .selectFrom("payouts")
    .select(["id", "refund_address as address", "refund_memo as memo"])
    .where("order_id", "=", order.id)
    .where("state", "=", "review")
    .where("refund_requested_at", "is not", null)
    .where(hasNothingAlive)
    .forUpdate()
    .executeTakeFirst();
  if (payout === undefined) return false;
  if (await isRefundUncertain(transaction, payout.id)) return true;
  const { address, memo } = payout;
  const to = address === null ? state.terms.refund : { address, memo };
  // The fee of a refund was taken already.
  const networkFee = state.kind === "refunding" ? state.refund.networkFee : parts.returnFee(state.terms.from.slug);
  if (networkFee === null) return true;
  const isPartners = state.kind === "paying" && state.payout.partner !== undefined;
  const unchanged = isPartners ? "intended" : "review";
  if (to === null || sumOf(session.counted()) <= networkFee) {
    await refuse(transaction, payout.id, "the deposits are too small to be sent back", unchanged);
    return false;
  }
  if (isPartners && !(await parts.abandonUnopened(transaction, order.id))) {
    await refuse(transaction, payout.id, "its exchange at a partner was opened meanwhile", unchanged);
    return false;
  }
  if (state.kind === "paying" && !isPartners)
    session.transfers.push(await parts.reversalOf(transaction, { kind: "exchange", sourceId: order.id, at }));
  await transaction.updateTable("payouts").set({ state: "returned" }).where("id", "=", payout.id).execute();
  session.take({ kind: "refund_instead", to, networkFee: toMinor(networkFee), at });
  return false;
}

/** The payment stays what it was, and says why: held, or a partner's. */
async function refuse(
  transaction: OrderSession["transaction"],
  id: bigint,
  why: string,
  state: "review" | "intended",
): Promise<void> {
  await transaction
    .updateTable("payouts")
    .set({
      refund_requested_at: null,
      last_error: why,
      state,
      ...(state === "intended" && { review_reason: null, review_at: null }),
    })
    .where("id", "=", id)
    .execute();
}
