import { inTransaction } from "../../db/transaction.ts";
import type { NetworkWallet } from "../../chains/port.ts";
import { bookFinal, bookMined } from "./ledger.ts";
import { endReplaced, isSendable, liveAttempts, markMined, type Attempt } from "./attempts.ts";
import { endCancellations } from "./replacement/cancellations.ts";
import { endSettled, sendChildren, settledChildren } from "./replacement/child.ts";
import { leadOnDead } from "./replacement/dead-payment.ts";
import { endOfTaken, releaseHandle, signAgain } from "./replacement/end-attempt.ts";
import { broadcastAgain, CHECK_SECONDS, sendAbsent } from "./broadcast.ts";
import { FAILED_ON_CHAIN, PAID_IN_PART, reviewPayout, type ReviewReason } from "./failures.ts";
import {
  areProvablyDead,
  depthOf,
  isReplacedForGood,
  lookUpAttempts,
  type AttemptsOnChain,
  type MinedAttempt,
} from "./lookup.ts";
import { recordExcluding } from "./replacement/excluding.ts";
import { replaceStuck } from "./replacement/replace.ts";
import { dueIn, lockPayout, reservedHandle, schedulePayout, type PayoutParts, type PayoutRow } from "./store.ts";
import { BOOKED_AND_GONE, endStuck, isReplacementDue, markStuck, NOT_STUCK } from "./replacement/stuck.ts";

/**
 * Looks a payment up until the canonical tail shows it: one that the network dropped is broadcast again with the same bytes, and one that
 * no block takes is replaced.
 */
export async function watchPayout(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempts = await liveAttempts(parts.database, payout.id);
  if (attempts.length === 0) throw new Error(`payment ${payout.id} was broadcast without an attempt`);
  const seen = await lookUpAttempts(parts, wallet, payout, attempts);
  if (seen.mined !== null) {
    if (!seen.mined.found.succeeded) return reviewPayout(parts, payout, failureOf(seen.mined.found));
    return recordMined(parts, payout, seen.mined);
  }
  await bringIn(parts, wallet, payout, { attempts, seen });
}

const failureOf = ({ moved }: MinedAttempt["found"]): ReviewReason =>
  moved === undefined ? FAILED_ON_CHAIN : PAID_IN_PART;

/** Goes on with what no block of ours holds: waits, sends it again or replaces it. */
async function bringIn(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  { attempts, seen }: { attempts: readonly Attempt[]; seen: AttemptsOnChain },
): Promise<void> {
  const wait = () => schedulePayout(parts.database, payout.id, CHECK_SECONDS);
  if (seen.isUnknown && (await areProvablyDead(parts, wallet, payout, attempts)))
    return leadOnDead(parts, wallet, payout, attempts);
  if (payout.state === "broadcast" && (seen.isUnknown || seen.rival !== null))
    await recordExcluding(parts, wallet, payout);
  if (seen.rival !== null) {
    if (!(await isReplacedForGood(parts, payout, seen.rival))) return wait();
    // The next one moves what is left.
    if (payout.purpose === "consolidation" && payout.state === "broadcast")
      return signAgain(parts, payout, {
        attempts,
        why: "another transaction spent one of its coins",
        handle: "unused",
      });
    return reviewPayout(parts, payout, "replaced_on_chain");
  }
  if (seen.isUnknown && !attempts.some(isSendable)) return waitForBooked(parts, payout, attempts);
  if (payout.stuckReason === BOOKED_AND_GONE && !seen.isUnknown) await endStuck(parts, payout);
  if (await replaceStuck(parts, wallet, payout, attempts)) return;
  // The newest is what counts: it pays the most.
  const isNewestAbsent = seen.absent[0]?.n === attempts.at(-1)?.n;
  if (!isNewestAbsent && !seen.isUnknown) await wait();
  else if (payout.state === "broadcast") await broadcastAgain(parts, wallet, payout, seen);
  else {
    await sendAbsent(wallet, seen.absent);
    await wait();
  }
  await sendChildren(parts, wallet, payout, null);
}

/** Nothing of it can be sent again: after the time of a replacement an operator may say that it is gone. */
async function waitForBooked(parts: PayoutParts, payout: PayoutRow, attempts: readonly Attempt[]): Promise<void> {
  const why = `no node and no block shows ${attempts.map(({ txId }) => txId).join(", ")}`;
  if (await isReplacementDue(parts, payout)) await markStuck(parts, payout, BOOKED_AND_GONE, why);
  await schedulePayout(parts.database, payout.id, CHECK_SECONDS);
}

/** Books a payment that the canonical tail shows, whether or not it is in review, and whichever of its attempts that is. */
export async function recordMined(
  parts: PayoutParts,
  payout: PayoutRow,
  { attempt, found }: MinedAttempt,
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
          amount: attempt.amount ?? payout.amount,
          next_attempt_at: dueIn(CHECK_SECONDS),
          failures: 0,
          resend_at: null,
          ...NOT_STUCK,
        })
        .where("id", "=", payout.id)
        .execute();
      await markMined(transaction, payout.id, attempt.txId);
      await bookMined(parts, transaction, payout);
    },
    parts.probe,
  );
  if (payout.orderId !== null) parts.onMined(payout.orderId);
}

/**
 * Watches a mined payment until it can't be undone. What a reorganisation took out of its block is sent again, the same bytes, and another
 * of its attempts may be mined in their place.
 */
export async function settleFinality(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempts = await liveAttempts(parts.database, payout.id);
  if (attempts.length === 0 || payout.minedHeight === null)
    throw new Error(`payment ${payout.id} was mined without an attempt`);
  const seen = await lookUpAttempts(parts, wallet, payout, attempts);
  if (seen.mined === null) return bringIn(parts, wallet, payout, { attempts, seen });
  const { attempt, found } = seen.mined;
  if ((await depthOf(parts, payout, found)) < parts.finalDepthOf(payout.slug)) {
    const isElsewhere = attempt.status !== "mined" || found.height !== payout.minedHeight;
    if (isElsewhere && found.succeeded) return recordMined(parts, payout, seen.mined);
    await sendChildren(parts, wallet, payout, attempt.txId);
    return schedulePayout(parts.database, payout.id, CHECK_SECONDS);
  }
  // In the block that it was first in it succeeded; what counts is the one that stays.
  if (!found.succeeded) return reviewPayout(parts, payout, failureOf(found));
  const children = await settledChildren(parts, wallet, payout, attempt.txId);
  if (children === null) {
    await sendChildren(parts, wallet, payout, attempt.txId);
    return schedulePayout(parts.database, payout.id, CHECK_SECONDS);
  }
  const amount = attempt.amount ?? payout.amount;
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== "mined") return;
      // One that was booked may have spent only some of the coins that were signed for.
      const end = isSendable(attempt) ? "used" : endOfTaken(await reservedHandle(transaction, payout.id));
      // Before it is final: the database takes what a final one releases as used, as workers of older versions do.
      await releaseHandle(parts, transaction, payout.id, end);
      await transaction
        .updateTable("payouts")
        .set({
          state: "final",
          mined_height: found.height,
          mined_hash: found.hash,
          amount,
          next_attempt_at: null,
          ...NOT_STUCK,
        })
        .where("id", "=", payout.id)
        .execute();
      const at = parts.clock.now();
      await markMined(transaction, payout.id, attempt.txId);
      await endReplaced(transaction, payout.id);
      await endCancellations(transaction, payout.id, null);
      const feeSlug = parts.feeSlugOf(payout.network);
      await bookFinal(transaction, { ...payout, amount }, { post: parts.post, at, feeSlug, feePaid: found.feePaid });
      await endSettled(parts, transaction, payout, children);
    },
    parts.probe,
  );
}
