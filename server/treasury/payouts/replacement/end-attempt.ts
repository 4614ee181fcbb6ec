import { sql, type Transaction } from "kysely";
import type { Schema } from "../../../db/schema.ts";
import { inTransaction } from "../../../db/transaction.ts";
import type { Handle } from "../../../chains/port.ts";
import { endAttempts, type Attempt } from "../attempts.ts";
import { endChildren } from "./children.ts";
import { FAILED_ON_CHAIN, MAX_TRIES, PAID_IN_PART, holdPayout } from "../failures.ts";
import { NOT_STUCK } from "./stuck.ts";
import { lockPayout, type PayoutParts, type PayoutRow } from "../store.ts";

/** Lets a payment be signed again with a new handle: no block can take what was signed any more, for the reason `why`. */
export async function signAgain(
  parts: PayoutParts,
  payout: PayoutRow,
  { attempts, why, handle }: { attempts: readonly Attempt[]; why: string; handle: HandleEnd },
): Promise<void> {
  const failures = payout.failures + 1;
  const details = { orderId: payout.orderId, payoutId: payout.id.toString(), txId: attempts.at(-1)?.txId, why };
  const isHeld = failures >= MAX_TRIES;
  if (isHeld) parts.log.error(details, "no block could take a payment again and again; it needs review");
  else parts.log.warn(details, "no block can take a payment any more; it is signed again");
  await inTransaction(
    parts.database,
    async (transaction) => {
      if (!(await endAll(parts, transaction, payout, { attempts, handle }))) return;
      if (isHeld) return holdPayout(parts, transaction, payout, "failed_repeatedly", why);
      await transaction
        .updateTable("payouts")
        .set({ state: "intended", failures, replacements: 0, ...NOT_STUCK, next_attempt_at: sql<Date>`now()` })
        .where("id", "=", payout.id)
        .execute();
    },
    parts.probe,
  );
}

/** Records that a held payment's attempts can never take effect any more: an operator may now have it signed again or refunded. */
export async function endHeldAttempts(
  parts: PayoutParts,
  payout: PayoutRow,
  { attempts, why, handle }: { attempts: readonly Attempt[]; why: string; handle: HandleEnd },
  book: (transaction: Transaction<Schema>) => Promise<void> = async () => undefined,
): Promise<void> {
  parts.log.warn(
    { payoutId: payout.id.toString(), txId: attempts.at(-1)?.txId, why },
    "the attempts of a payment in review are over",
  );
  await inTransaction(
    parts.database,
    async (transaction) => {
      if (!(await endAll(parts, transaction, payout, { attempts, handle }))) return;
      await book(transaction);
      await transaction
        .updateTable("payouts")
        .set({
          last_error: why,
          next_attempt_at: null,
          // In another block it may have moved something: not in this one.
          review_reason: sql<string>`case review_reason when ${PAID_IN_PART} then ${FAILED_ON_CHAIN} else review_reason end`,
        })
        .where("id", "=", payout.id)
        .execute();
    },
    parts.probe,
  );
}

/** Marks the attempts as dead and frees their handle; false where another process was first. */
async function endAll(
  parts: PayoutParts,
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  { attempts, handle }: { attempts: readonly Attempt[]; handle: HandleEnd },
): Promise<boolean> {
  const locked = await lockPayout(transaction, payout.id);
  if (locked?.state !== payout.state) return false;
  if (!(await endAttempts(transaction, payout.id, attempts))) return false;
  await endChildren(transaction, payout.id, []);
  await releaseHandle(parts, transaction, payout.id, handle);
  return true;
}

/** Whether the chain has used a handle that is released, or may have: no other payment may reserve it then. */
type HandleEnd = "used" | "unused";

/** How a handle ends that the chain has used for another transaction, which may have spent only some of its coins. */
export const endOfTaken = (handle: Handle | null): HandleEnd =>
  handle === null || "nonce" in handle.data ? "used" : "unused";

/** Frees the handle that a payment has reserved; one that the chain has used is never reserved again. */
export async function releaseHandle(
  { clock }: Pick<PayoutParts, "clock">,
  transaction: Transaction<Schema>,
  payoutId: bigint,
  end: HandleEnd,
): Promise<void> {
  const at = clock.now();
  // A wallet of Monero may have left outputs unspent that the payment reserved.
  const usedAt = sql<Date | null>`case when data ?| array['nonce', 'inputs'] then ${at}::timestamptz end`;
  await transaction
    .updateTable("payout_handles")
    .set({ released_at: at, ...(end === "used" && { used_at: usedAt }) })
    .where("payout_id", "=", payoutId)
    .where("released_at", "is", null)
    .execute();
}
