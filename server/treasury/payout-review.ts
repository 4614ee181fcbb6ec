import type { NetworkWallet } from "../chains/port.ts";
import { freeHandle } from "./payout-cancel.ts";
import { endHeldAttempt } from "./payout-end-attempt.ts";
import { REVIEW_CHECK_SECONDS } from "./payout-failures.ts";
import { bookFailedAttempt } from "./payout-ledger.ts";
import { liveAttempt, schedulePayout, type PayoutParts, type PayoutRow } from "./payout-store.ts";
import { isCanonical, tipHeight } from "./payout-tail.ts";
import { isProvablyDead, isReplacedForGood, recordMined } from "./payout-watch.ts";

/**
 * Watches what may still become of a payment in review, and sends nothing: one that the chain shows after all goes on, one that can
 * never take effect any more is marked as dead, so that an operator may have it signed again or refunded.
 */
export async function watchReviewed(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempt = await liveAttempt(parts.database, payout.id);
  if (attempt === null) return freeHandle(parts, wallet, payout, null);
  const found = await wallet.lookup(attempt.txId);
  if (found.kind === "mined" && (await isCanonical(parts.database, payout.network, found))) {
    if (found.succeeded) return recordMined(parts, payout, attempt, found);
    const depth = (await tipHeight(parts.database, payout.network)) - found.height + 1;
    if (depth >= parts.finalDepthOf(payout.slug)) {
      const { feePaid } = found;
      const books = { post: parts.post, at: parts.clock.now(), feeSlug: parts.feeSlugOf(payout.network), feePaid };
      return endHeldAttempt(parts, payout, attempt, `it failed in block ${found.height}`, (transaction) =>
        bookFailedAttempt(transaction, payout, attempt.txId, books),
      );
    }
  }
  if (found.kind === "replaced" && (await isReplacedForGood(parts, payout, found)))
    return endHeldAttempt(parts, payout, attempt, `${found.byTxId} in block ${found.height} has spent its inputs`);
  if (found.kind === "absent" && (await isProvablyDead(parts, wallet, payout, attempt)))
    return endHeldAttempt(parts, payout, attempt, "it expired before a block took it");
  // A sweep is paid by its own deposit address: nobody waits behind it.
  if (found.kind === "absent" && payout.reviewReason === "broadcast_refused" && payout.purpose !== "sweep")
    return freeHandle(parts, wallet, payout, attempt);
  return schedulePayout(parts.database, payout.id, REVIEW_CHECK_SECONDS);
}
