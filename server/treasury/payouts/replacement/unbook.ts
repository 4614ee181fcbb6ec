import { sql, type Transaction } from "kysely";
import type { Schema } from "../../../db/schema.ts";
import { OperatorError } from "../../../admin/index.ts";
import type { CorrectPayment, Corrected, CorrectWithdrawal } from "../../port.ts";
import { liveAttempts } from "../attempts.ts";
import { bookDifference, bookedDifference } from "./booked-difference.ts";
import { correctsNoWithdrawal, isOfOrder } from "../matches/payment-matches.ts";
import { loadPayout, lockPayout, releaseUnsigned, type PayoutRow } from "../store.ts";
import { requireAbsent } from "./absent.ts";
import type { ReviewReason } from "../failures.ts";
import { BOOKED_AND_GONE, NOT_STUCK } from "./stuck.ts";

/**
 * Its payment: what it owes now, and of a withdrawal what it owes less than before, in the coin of its wallet, and whether that waits for an operator
 * again; `isHeld`: it is paid by the books, and an operator decides whether it is made.
 */
export type Unbooked = Pick<PayoutRow, "id" | "slug" | "amount" | "withdrawalId"> &
  Partial<Pick<Corrected, "missing" | "isUndecided">> & { isHeld: boolean };

/**
 * Takes back that an unknown payment was booked, once no node and no block shows it any more: nobody has decided it then, and its payment waits
 * for that. An order is owed again what it was owed before, a withdrawal as far as its wallet still has it; one that was approved by this payment is decided anew.
 * What a block had before it was undone has ended its order or its withdrawal, which stays so: it is still owed, as after any such block; of a withdrawal
 * that was approved by this payment it is held.
 * Throws `OperatorError` while it may still be there.
 */
export async function unbookUnknownPayment(
  transaction: Transaction<Schema>,
  { network, txId, at }: { network: string; txId: string; at: Date },
  correct: CorrectPayment,
  correctWithdrawal: CorrectWithdrawal = correctsNoWithdrawal,
): Promise<Unbooked> {
  const unknown = await transaction
    .selectFrom("unknown_payments")
    .select("payout_id as payoutId")
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .where("decision", "=", "booked")
    .forUpdate()
    .executeTakeFirst();
  const booked = unknown?.payoutId == null ? null : await loadPayout(transaction, unknown.payoutId);
  if (booked === null) throw new OperatorError(`No payment of ${network} was booked as ${txId}.`);
  const { id, withdrawalId } = booked;
  const notGone = () => new OperatorError(`Payment ${id} does not wait for a booked transaction that is gone.`);
  if (!isGone(booked)) throw notGone();
  const { restored, difference } = await restoreAmount(transaction, booked, { txId, at }, correct);
  // The withdrawal is locked before its payment. One that a block had settled stays so, and its wallet has kept what was paid less.
  const withdrawal =
    withdrawalId === null || hasEnded(booked)
      ? null
      : await correctWithdrawal(transaction, { withdrawalId, txId, amount: null, at });
  const payout = await lockPayout(transaction, id);
  if (payout === null || payout.state !== booked.state || !isGone(payout)) throw notGone();
  await requireAbsent(transaction, { network, txId }, id);
  await transaction
    .deleteFrom("payout_attempts")
    .where("payout_id", "=", payout.id)
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .where("raw", "=", "")
    .execute();
  const isSigned = (await liveAttempts(transaction, payout.id)).length > 0;
  if (!isSigned) await releaseUnsigned(transaction, payout.id);
  const amount = withdrawal?.amount ?? restored;
  if (difference !== 0n) await bookDifference(transaction, payout, { txId, difference, at });
  const isHeld = !isSigned && hasEnded(payout) && (await wasApprovedBy(transaction, withdrawalId, txId));
  const next = withdrawal?.isUndecided === true ? "returned" : isSigned ? "broadcast" : isHeld ? "review" : "intended";
  await transaction
    .updateTable("payouts")
    .set({
      state: next,
      next_attempt_at: next === "returned" ? null : sql<Date>`now()`,
      ...(isHeld && {
        review_reason: "approval_unbooked" satisfies ReviewReason,
        review_at: sql<Date>`now()`,
      }),
      ...NOT_STUCK,
      amount,
    })
    .where("id", "=", payout.id)
    .execute();
  await transaction
    .updateTable("unknown_payments")
    .set({ decision: null, payout_id: null, decided_at: null, unbooked_payout_id: payout.id })
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .execute();
  return { ...payout, ...withdrawal, amount, isHeld };
}

async function wasApprovedBy(
  transaction: Transaction<Schema>,
  withdrawalId: bigint | null,
  txId: string,
): Promise<boolean> {
  const approved = transaction.selectFrom("withdrawals").select("id").where("approved_by_tx", "=", txId);
  return withdrawalId !== null && (await approved.where("id", "=", withdrawalId).executeTakeFirst()) !== undefined;
}

/**
 * What an order's payment, or a deposit's return, owed before the booking of `txId` changed that, and what that differs by; its order says so again, also one
 * that a block has ended. Locks the order, so that its payment is locked afterwards.
 */
async function restoreAmount(
  transaction: Transaction<Schema>,
  { amount, ...payout }: PayoutRow,
  { txId, at }: { txId: string; at: Date },
  correct: CorrectPayment,
): Promise<{ restored: bigint; difference: bigint }> {
  const { purpose, orderId } = payout;
  if (!isOfOrder(purpose)) return { restored: amount, difference: 0n };
  const difference = -(await bookedDifference(transaction, payout, txId));
  const restored = amount + difference;
  if (difference !== 0n && orderId !== null)
    await correct(transaction, { orderId, purpose, txId, amount: restored, at });
  return { restored, difference };
}

/** Whether a block had it once and has settled its withdrawal, whatever has become of that block and of the payment since. */
const hasEnded = ({ minedHeight }: Pick<PayoutRow, "minedHeight">): boolean => minedHeight !== null;

/** Also one that a block had had, which was undone. */
const isGone = ({ state, stuckReason }: PayoutRow): boolean =>
  (state === "broadcast" || state === "mined") && stuckReason === BOOKED_AND_GONE;
