import { sql } from "kysely";
import { inTransaction } from "../db/transaction.ts";
import type { Lookup, NetworkWallet, PreparedPayment } from "../chains/port.ts";
import type { PayoutParts } from "./payout-parts.ts";
import { isCanonical, lockPayout, tailHashAt, tipHeight, type PayoutRow } from "./payout-rows.ts";

/** Whether an attempt can never take effect any more, by a block of our own tail that nothing can undo (engine law 5). */
export async function isProvablyDead(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempt: PreparedPayment,
): Promise<boolean> {
  if (wallet.deadAt === undefined) return false;
  const tip = await tipHeight(parts.database, payout.network);
  const finalHeight = tip - parts.finalDepthOf(payout.slug) + 1;
  const hash = await tailHashAt(parts.database, payout.network, finalHeight);
  return hash !== null && (await wallet.deadAt(attempt, finalHeight)) === hash;
}

/**
 * Whether another transaction has spent what this payment spends, in a block that nothing can undo. An operator decides: that transaction
 * may have paid the very same outputs under another id.
 */
export async function isReplacedForGood(parts: PayoutParts, payout: PayoutRow, found: Lookup): Promise<boolean> {
  if (found.kind !== "replaced") return false;
  const tip = await tipHeight(parts.database, payout.network);
  if (tip - found.height + 1 < parts.finalDepthOf(payout.slug)) return false;
  return isCanonical(parts.database, payout.network, found);
}

/** Gives the payment back to be signed anew, with a handle of its own: what ran out may not be repeated, and can't come back. */
export async function buryAttempt(parts: PayoutParts, payout: PayoutRow, attempt: PreparedPayment): Promise<void> {
  parts.log.warn(
    { orderId: payout.orderId, payoutId: payout.id.toString(), txId: attempt.txId },
    "a payment ran out before any block took it; it is signed anew",
  );
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== "broadcast") return;
      const buried = await transaction
        .updateTable("payout_attempts")
        .set({ status: "dead" })
        .where("payout_id", "=", payout.id)
        .where("tx_id", "=", attempt.txId)
        .where("status", "in", ["prepared", "broadcast"])
        .returning("n")
        .executeTakeFirst();
      if (buried === undefined) return;
      await transaction
        .updateTable("payout_handles")
        .set({ released_at: parts.clock.now() })
        .where("payout_id", "=", payout.id)
        .where("released_at", "is", null)
        .execute();
      await transaction
        .updateTable("payouts")
        .set({ state: "intended", next_attempt_at: sql<Date>`now()` })
        .where("id", "=", payout.id)
        .execute();
    },
    parts.probe,
  );
}
