import { sql, type Transaction } from "kysely";
import type { PreparedPayment } from "../chains/port.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { MAX_TRIES, holdPayout } from "./payout-failures.ts";
import { lockPayout, type PayoutParts, type PayoutRow } from "./payout-store.ts";

/** Lets a payment be signed again with a new handle: the expired attempt can never be mined. */
export async function signExpiredAgain(parts: PayoutParts, payout: PayoutRow, attempt: PreparedPayment): Promise<void> {
  const failures = payout.failures + 1;
  const details = { orderId: payout.orderId, payoutId: payout.id.toString(), txId: attempt.txId };
  const isHeld = failures >= MAX_TRIES;
  if (isHeld) parts.log.error(details, "a payment expired again and again and needs review");
  else parts.log.warn(details, "a payment expired before it was mined; it is signed again");
  await inTransaction(
    parts.database,
    async (transaction) => {
      if (!(await endAttempt(parts, transaction, payout, attempt))) return;
      if (isHeld) return holdPayout(transaction, payout, "failed_repeatedly", "it expired before a block took it");
      await transaction
        .updateTable("payouts")
        .set({ state: "intended", failures, next_attempt_at: sql<Date>`now()` })
        .where("id", "=", payout.id)
        .execute();
    },
    parts.probe,
  );
}

/** Records that a held payment's attempt can never take effect any more: an operator may now have it signed again or refunded. */
export async function endHeldAttempt(
  parts: PayoutParts,
  payout: PayoutRow,
  attempt: PreparedPayment | null,
  why: string,
  book: (transaction: Transaction<Schema>) => Promise<void> = async () => undefined,
): Promise<void> {
  parts.log.warn({ payoutId: payout.id.toString(), txId: attempt?.txId, why }, "an attempt in review is over");
  await inTransaction(
    parts.database,
    async (transaction) => {
      if (!(await endAttempt(parts, transaction, payout, attempt))) return;
      await book(transaction);
      await transaction
        .updateTable("payouts")
        .set({ last_error: why, next_attempt_at: null })
        .where("id", "=", payout.id)
        .execute();
    },
    parts.probe,
  );
}

/** Marks the attempt as dead and frees its handle; false where another process was first. */
async function endAttempt(
  parts: PayoutParts,
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  attempt: PreparedPayment | null,
): Promise<boolean> {
  const locked = await lockPayout(transaction, payout.id);
  if (locked?.state !== payout.state) return false;
  if (attempt !== null && !(await markDead(transaction, payout.id, attempt.txId))) return false;
  await releaseHandle(parts, transaction, payout.id);
  return true;
}

async function markDead(transaction: Transaction<Schema>, payoutId: bigint, txId: string): Promise<boolean> {
  const marked = await transaction
    .updateTable("payout_attempts")
    .set({ status: "dead" })
    .where("payout_id", "=", payoutId)
    .where("tx_id", "=", txId)
    .where("status", "in", ["prepared", "broadcast"])
    .returning("n")
    .executeTakeFirst();
  return marked !== undefined;
}

export async function releaseHandle(
  { clock }: Pick<PayoutParts, "clock">,
  transaction: Transaction<Schema>,
  payoutId: bigint,
): Promise<void> {
  await transaction
    .updateTable("payout_handles")
    .set({ released_at: clock.now() })
    .where("payout_id", "=", payoutId)
    .where("released_at", "is", null)
    .execute();
}
