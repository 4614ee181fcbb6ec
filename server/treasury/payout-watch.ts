import { inTransaction } from "../db/transaction.ts";
import type { Lookup, NetworkWallet, PreparedPayment } from "../chains/port.ts";
import { bookFinal, bookMined } from "./payout-ledger.ts";
import { endCancellation } from "./payout-cancel.ts";
import { releaseHandle, signExpiredAgain } from "./payout-end-attempt.ts";
import { broadcastAgain, CHECK_SECONDS } from "./payout-broadcast.ts";
import { reviewPayout } from "./payout-failures.ts";
import { type PayoutParts, dueIn, liveAttempt, lockPayout, schedulePayout, type PayoutRow } from "./payout-store.ts";
import { isCanonical, tailHashAt, tipHeight } from "./payout-tail.ts";

/** Looks a payment up until the canonical tail shows it; one that the network dropped is broadcast again with the same bytes. */
export async function watchPayout(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempt = await liveAttempt(parts.database, payout.id);
  if (attempt === null) throw new Error(`payment ${payout.id} was broadcast without an attempt`);
  const found = await wallet.lookup(attempt.txId);
  if (found.kind === "absent") {
    if (await isProvablyDead(parts, wallet, payout, attempt)) return signExpiredAgain(parts, payout, attempt);
    return broadcastAgain(parts, wallet, payout, attempt);
  }
  if (await isReplacedForGood(parts, payout, found)) return reviewPayout(parts, payout, "replaced_on_chain");
  const isOnTail = found.kind === "mined" && (await isCanonical(parts.database, payout.network, found));
  if (found.kind !== "mined" || !isOnTail) return schedulePayout(parts.database, payout.id, CHECK_SECONDS);
  if (!found.succeeded) return reviewPayout(parts, payout, "failed_on_chain");
  await recordMined(parts, payout, attempt, found);
}

/** Books a payment that the canonical tail shows, whether or not it is in review. */
export async function recordMined(
  parts: PayoutParts,
  payout: PayoutRow,
  attempt: PreparedPayment,
  found: Extract<Lookup, { kind: "mined" }>,
): Promise<void> {
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== payout.state) return;
      await transaction
        .updateTable("payouts")
        .set({
          state: "mined",
          review_reason: null,
          review_at: null,
          mined_height: found.height,
          mined_hash: found.hash,
          next_attempt_at: dueIn(CHECK_SECONDS),
          failures: 0,
          resend_at: null,
        })
        .where("id", "=", payout.id)
        .execute();
      await transaction
        .updateTable("payout_attempts")
        .set({ status: "mined" })
        .where("payout_id", "=", payout.id)
        .where("tx_id", "=", attempt.txId)
        .execute();
      await bookMined(transaction, payout, { post: parts.post, at: parts.clock.now() });
    },
    parts.probe,
  );
  if (payout.orderId !== null) parts.onMined(payout.orderId);
}

/** Watches a mined payment until it can't be undone; a reorganisation sends the same bytes again. */
export async function settleFinality(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempt = await liveAttempt(parts.database, payout.id);
  if (attempt === null || payout.minedHeight === null)
    throw new Error(`payment ${payout.id} was mined without an attempt`);
  const tip = await tipHeight(parts.database, payout.network);
  const found = await wallet.lookup(attempt.txId);
  const isOnTail = found.kind === "mined" && (await isCanonical(parts.database, payout.network, found));
  if (found.kind === "absent") await wallet.broadcast(attempt);
  if (await isReplacedForGood(parts, payout, found)) return reviewPayout(parts, payout, "replaced_on_chain");
  if (found.kind !== "mined" || !isOnTail || tip - found.height + 1 < parts.finalDepthOf(payout.slug)) {
    return schedulePayout(parts.database, payout.id, CHECK_SECONDS);
  }
  // In the block that it was first in it succeeded; what counts is the one that stays.
  if (!found.succeeded) return reviewPayout(parts, payout, "failed_on_chain");
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== "mined") return;
      await transaction
        .updateTable("payouts")
        .set({ state: "final", mined_height: found.height, mined_hash: found.hash, next_attempt_at: null })
        .where("id", "=", payout.id)
        .execute();
      const at = parts.clock.now();
      await releaseHandle(parts, transaction, payout.id);
      await endCancellation(transaction, payout.id, "dead");
      const feeSlug = parts.feeSlugOf(payout.network);
      await bookFinal(transaction, payout, { post: parts.post, at, feeSlug, feePaid: found.feePaid });
    },
    parts.probe,
  );
}

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
