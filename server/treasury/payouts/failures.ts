import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { PayoutParts, PayoutRow } from "./store.ts";
import { NOT_STUCK } from "./replacement/stuck.ts";

/** About nine minutes of pauses; after them an operator decides. */
export const MAX_TRIES = 8;
const MAX_PAUSE_SECONDS = 300;
const MAX_ERROR_LENGTH = 500;
/** A payment in review that may still reach the chain, or holds a handle, is looked at this often, and with every block. */
export const REVIEW_CHECK_SECONDS = 60;

/** Why an operator has to look at a payment; docs/operations.md says what leads on from each. */
export type ReviewReason =
  | "not_authorised"
  | "destination_reverts"
  | "gas_over_cap"
  | "fee_over_cap"
  | "fee_over_charge"
  | "under_dust"
  | "under_reserve"
  | "large_payment"
  | "not_enough_funds"
  | "maybe_refunded"
  | "recipient_paid"
  | "approval_unbooked"
  | "failed_repeatedly"
  | "broadcast_refused"
  | "failed_on_chain"
  | "paid_in_part"
  | "replaced_on_chain"
  | "undone_and_handle_taken"
  | "deposit_gone";

/** It is held until two operators have approved it. */
export const LARGE_PAYMENT = "large_payment" satisfies ReviewReason;
/** A block holds its transaction, which has done nothing. */
export const FAILED_ON_CHAIN = "failed_on_chain" satisfies ReviewReason;
/** Its token moved another amount than was asked. */
export const PAID_IN_PART = "paid_in_part" satisfies ReviewReason;

/** The seconds before a payout is tried again after so many failures in a row: twice as long each time. */
export const payoutPauseSeconds = (failures: number): number => Math.min(2 ** failures, MAX_PAUSE_SECONDS);

/** Counts a failure of the payment itself: it is tried again after a pause that grows, and goes into review after its tries. */
export async function recordFailure(parts: PayoutParts, payout: PayoutRow, error: string): Promise<void> {
  const failures = payout.failures + 1;
  if (failures >= MAX_TRIES) return reviewPayout(parts, payout, "failed_repeatedly", error);
  parts.log.warn({ payoutId: payout.id.toString(), failures, error }, "a payment failed and will be retried");
  await parts.database.kysely
    .updateTable("payouts")
    .set({
      failures,
      last_error: error.slice(0, MAX_ERROR_LENGTH),
      next_attempt_at: sql<Date>`now() + make_interval(secs => ${payoutPauseSeconds(failures)})`,
    })
    .where("id", "=", payout.id)
    .where("state", "=", payout.state)
    .execute();
}

/** Holds a payment until an operator has decided. What may still reach the chain is watched meanwhile. */
export async function reviewPayout(
  parts: PayoutParts,
  payout: PayoutRow,
  reason: ReviewReason,
  error: string | null = null,
): Promise<void> {
  await inTransaction(parts.database, (transaction) => holdPayout(parts, transaction, payout, reason, error));
  parts.log.error({ orderId: payout.orderId, payoutId: payout.id.toString(), reason, error }, "a payment needs review");
}

/** The same inside a transaction, which logs by itself. */
export async function holdPayout(
  { notifyWithdrawal }: Pick<PayoutParts, "notifyWithdrawal">,
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  reason: ReviewReason,
  error: string | null,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("payouts")
    .set({
      state: "review",
      review_reason: reason,
      review_at: sql<Date>`now()`,
      failures: 0,
      over_charge_since: null,
      ...NOT_STUCK,
      ...(error !== null && { last_error: error.slice(0, MAX_ERROR_LENGTH) }),
      next_attempt_at: sql<Date | null>`case when exists (
          select 1 from payout_attempts a where a.payout_id = payouts.id and a.status <> 'dead')
        or exists (select 1 from payout_handles h where h.payout_id = payouts.id and h.released_at is null)
        then now() end`,
    })
    .where("id", "=", payout.id)
    .where("state", "=", payout.state)
    .executeTakeFirst();
  if (numUpdatedRows > 0n && payout.withdrawalId !== null)
    await notifyWithdrawal(transaction, payout.withdrawalId, "failed");
}
