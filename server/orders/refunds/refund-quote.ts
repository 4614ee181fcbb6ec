import type { AnswerOf } from "#contract/calls.ts";
import { formatAmount, toMinor, type Minor } from "#contract/money.ts";
import { isArchived } from "../../db/archived-orders.ts";
import type { Rates } from "../../rates/port.ts";
import { decodeState, type OrderState } from "../decisions/order.ts";
import { readOrderRows } from "../views/order-rows.ts";
import type { DisplayedFees } from "./displayed-fees.ts";
import { countedOf, sumOf, withOrder, type OrderSession, type SessionParts } from "../processing/session.ts";
import { depositsOf, type DepositRow } from "../processing/store.ts";

/** A refund's network fee is fixed for this long once it was quoted (contract §3). */
export const REFUND_FEE_LOCK_MS = 600_000;

export type RefundQuoteParts = SessionParts & {
  rates: Pick<Rates, "snapshot" | "networkFee">;
  displayedFees?: DisplayedFees;
};

type LockedFee = { amount: bigint; at: Date };

/**
 * What a refund would deliver, at a network fee that is fixed from then on; both figures are zero before a deposit.
 * Null for an unknown order.
 */
export async function quoteRefund(parts: RefundQuoteParts, orderId: string): Promise<AnswerOf<"refundInfo"> | null> {
  // Of an archived one nothing is left to refund.
  if (await isArchived(parts.database.kysely, orderId)) return showRefund(parts, orderId);
  const done = await withOrder(parts, orderId, async (session) =>
    infoOf(session.state(), session.counted(), () => lockedRefundFee(parts, session)),
  );
  return done?.result ?? null;
}

/** The same for whoever knows the order's id alone: nothing is fixed, locked or written. */
export async function showRefund(parts: RefundQuoteParts, orderId: string): Promise<AnswerOf<"refundInfo"> | null> {
  const { kysely } = parts.database;
  const row = await kysely
    .selectFrom("orders")
    .select(["snapshot", "refund_fee", "refund_fee_at"])
    .where("id", "=", orderId)
    .executeTakeFirst();
  if (row === undefined) {
    const archived = await readOrderRows(parts.database, orderId);
    return archived && infoOf(archived.state, [], async () => toMinor(0n));
  }
  const state = decodeState(row.snapshot);
  const { refund_fee: amount, refund_fee_at: at } = row;
  const fee = amount === null || at === null ? null : currentFee({ amount, at }, parts.clock.now());
  return infoOf(state, countedOf(state, await depositsOf(kysely, orderId)), async () => {
    if (fee !== null) return fee;
    const fresh = freshFee(parts, state);
    parts.displayedFees?.add(orderId, fresh, parts.clock.now());
    return fresh;
  });
}

/**
 * The fee that this order's refund was quoted with while it is fixed; otherwise the claimed one where it was shown, or a fresh one, which
 * is then fixed.
 */
export async function lockedRefundFee(
  parts: RefundQuoteParts,
  session: OrderSession,
  claimed: Minor<"from"> | null = null,
): Promise<Minor<"from">> {
  const { order, at } = session;
  const locked = order.refundFee && currentFee(order.refundFee, at);
  if (locked !== null) return locked;
  const isShown = claimed !== null && parts.displayedFees?.wasDisplayed(order.id, claimed, at) === true;
  const fee = isShown ? claimed : freshFee(parts, session.state());
  await session.transaction
    .updateTable("orders")
    .set({ refund_fee: fee, refund_fee_at: at })
    .where("id", "=", order.id)
    .execute();
  return fee;
}

const currentFee = ({ amount, at }: LockedFee, now: Date): Minor<"from"> | null =>
  now.getTime() - at.getTime() <= REFUND_FEE_LOCK_MS ? toMinor(amount) : null;

const freshFee = ({ rates }: RefundQuoteParts, { terms }: OrderState): Minor<"from"> =>
  toMinor(rates.networkFee(terms.from.slug, rates.snapshot()));

async function infoOf(
  state: OrderState,
  counted: DepositRow[],
  currentRefundFee: () => Promise<Minor<"from">>,
): Promise<AnswerOf<"refundInfo">> {
  const figures = (amount: bigint, fee: bigint): AnswerOf<"refundInfo"> => ({
    refundAmountWithoutNetworkFee: formatAmount(amount, state.terms.from.decimals),
    networkFee: formatAmount(fee, state.terms.from.decimals),
  });
  if (state.kind === "refunding" || state.kind === "refunded")
    return figures(state.refund.amount, state.refund.networkFee);
  const received = sumOf(counted);
  if (received === 0n) return figures(0n, 0n);
  const fee = state.kind === "refund_requested" ? state.networkFee : await currentRefundFee();
  return figures(received > fee ? received - fee : 0n, fee);
}
