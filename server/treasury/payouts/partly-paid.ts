import { formatAmount } from "#contract/money.ts";
import type { Moved } from "../../chains/port.ts";
import { inTransaction } from "../../db/transaction.ts";
import { endReplaced, markMined } from "./attempts.ts";
import { PAID_IN_PART } from "./failures.ts";
import { bookPartlyPaid } from "./ledger.ts";
import type { MinedAttempt } from "./lookup.ts";
import { endCancellations } from "./replacement/cancellations.ts";
import { endChildren } from "./replacement/children.ts";
import { releaseHandle } from "./replacement/end-attempt.ts";
import { lockPayout, type PayoutParts, type PayoutRow } from "./store.ts";

/**
 * Books what a held payment has moved in a final block though it did not pay what was asked, as in a token that takes a fee. Its transaction
 * stays the one that a block has taken, so it is neither signed again nor refunded: what has left would leave twice.
 */
export async function recordPartlyPaid(
  parts: PayoutParts,
  payout: PayoutRow,
  { attempt, found }: MinedAttempt,
  moved: Moved,
): Promise<void> {
  const text = (amount: bigint) => formatAmount(amount, parts.decimalsOf(payout.slug));
  const why = `${text(moved.arrived)} of ${text(payout.amount)} arrived in block ${found.height}, and ${text(moved.spent)} has left`;
  parts.log.error(
    { orderId: payout.orderId, payoutId: payout.id.toString(), txId: attempt.txId, why },
    "a payment has moved less than was asked",
  );
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== "review" || locked.arrived !== null) return;
      await transaction
        .updateTable("payouts")
        .set({
          review_reason: PAID_IN_PART,
          spent: moved.spent,
          arrived: moved.arrived,
          mined_height: found.height,
          mined_hash: found.hash,
          last_error: why,
          next_attempt_at: null,
        })
        .where("id", "=", payout.id)
        .execute();
      await markMined(transaction, payout.id, attempt.txId);
      await endReplaced(transaction, payout.id);
      await endChildren(transaction, payout.id, []);
      await releaseHandle(parts, transaction, payout.id, "used");
      await endCancellations(transaction, payout.id, null);
      const books = { feeSlug: parts.feeSlugOf(payout.network), feePaid: found.feePaid, txId: attempt.txId };
      await bookPartlyPaid(parts, transaction, payout, { ...books, ...moved });
    },
    parts.probe,
  );
}
