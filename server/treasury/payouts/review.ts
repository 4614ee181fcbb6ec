import type { NetworkWallet } from "../../chains/port.ts";
import { liveAttempts } from "./attempts.ts";
import { withdrawConsolidation } from "./consolidations.ts";
import { freeHandle } from "./replacement/cancel.ts";
import { endCancellations, openCancellations } from "./replacement/cancellations.ts";
import { endHeldAttempts, endOfTaken } from "./replacement/end-attempt.ts";
import { REVIEW_CHECK_SECONDS } from "./failures.ts";
import { bookFailedAttempt } from "./ledger.ts";
import { areProvablyDead, depthOf, isReplacedForGood, lookUpAttempts } from "./lookup.ts";
import { reservedHandle, schedulePayout, type PayoutParts, type PayoutRow } from "./store.ts";
import { recordPartlyPaid } from "./partly-paid.ts";
import { recordMined } from "./watch.ts";

/**
 * Watches what may still become of a payment in review, and sends nothing: one that the chain shows after all goes on, one that can
 * never take effect any more is marked as dead, so that an operator may have it signed again or refunded.
 */
export async function watchReviewed(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempts = await liveAttempts(parts.database, payout.id);
  if (attempts.length === 0) {
    if (payout.purpose === "consolidation" && (await withdrawConsolidation(parts.database, payout.id))) {
      parts.log.warn(
        { payoutId: payout.id.toString(), reason: payout.reviewReason },
        "a payment to ourselves has ended",
      );
      return;
    }
    return freeHandle(parts, wallet, payout, attempts);
  }
  const { mined, rival, isUnknown } = await lookUpAttempts(parts, wallet, payout, attempts);
  if (mined !== null) {
    const { attempt, found } = mined;
    if (found.succeeded) return recordMined(parts, payout, mined);
    if ((await depthOf(parts, payout, found)) >= parts.finalDepthOf(payout.slug)) {
      if (found.moved !== undefined) return recordPartlyPaid(parts, payout, mined, found.moved);
      const { feePaid } = found;
      const books = { post: parts.post, at: parts.clock.now(), feeSlug: parts.feeSlugOf(payout.network), feePaid };
      const ended = { attempts, why: `it failed in block ${found.height}`, handle: "used" } as const;
      return endHeldAttempts(parts, payout, ended, (transaction) =>
        bookFailedAttempt(transaction, payout, attempt.txId, books),
      );
    }
    return schedulePayout(parts.database, payout.id, REVIEW_CHECK_SECONDS);
  }
  if (rival !== null && (await isReplacedForGood(parts, payout, rival)))
    // The rival may have spent only some of them.
    return endHeldAttempts(parts, payout, {
      attempts,
      why: `${rival.byTxId} in block ${rival.height} has spent its inputs`,
      handle: "unused",
    });
  // The empty payments that were to take its place share its handle, and one of them may be what has used it.
  const signed = [...attempts, ...(await openCancellations(parts.database, payout.id))];
  if (isUnknown && (await areProvablyDead(parts, wallet, payout, signed))) {
    const why = "it expired, or the chain has used its nonce or coins otherwise";
    const ended = { attempts, why, handle: endOfTaken(await reservedHandle(parts.database, payout.id)) };
    return endHeldAttempts(parts, payout, ended, (transaction) => endCancellations(transaction, payout.id, null));
  }
  if (isUnknown && payout.reviewReason === "broadcast_refused") return freeHandle(parts, wallet, payout, attempts);
  return schedulePayout(parts.database, payout.id, REVIEW_CHECK_SECONDS);
}
