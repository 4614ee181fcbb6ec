import type { Handle, Lookup, NetworkWallet, PreparedPayment } from "../../../chains/port.ts";
import { inTransaction } from "../../../db/transaction.ts";
import type { Attempt } from "../attempts.ts";
import { lastCancellation, openCancellations, endCancellations, storeCancellation } from "./cancellations.ts";
import { endHeldAttempts, releaseHandle } from "./end-attempt.ts";
import { REVIEW_CHECK_SECONDS } from "../failures.ts";
import { bookFailedAttempt } from "../ledger.ts";
import { depthOf } from "../lookup.ts";
import { payerOf } from "../payer.ts";
import { lockPayout, reservedHandle, schedulePayout, type PayoutParts, type PayoutRow } from "../store.ts";
import { isReplacementDue, postponeReplacement, replaceAt } from "./stuck.ts";
import { isCanonical } from "../../../chains/follower/index.ts";

/**
 * Frees the handle of a held payment that no node takes, so that those behind it go on. Bytes that were sent may still be somewhere:
 * an empty payment on the same handle excludes them, and only its final block proves that they are dead (engine law 5).
 */
export async function freeHandle(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempts: readonly Attempt[],
): Promise<void> {
  const handle = await reservedHandle(parts.database, payout.id);
  if (handle === null) return;
  const wait = () => schedulePayout(parts.database, payout.id, REVIEW_CHECK_SECONDS);
  if (wallet.prepareCancellation === undefined) {
    // Nothing was signed with it, and nothing behind it waits for it.
    if (attempts.length === 0) return releaseUnused(parts, payout);
    if (payout.purpose !== "consolidation") return wait();
    // Whichever of it and of what follows a block takes, it pays nobody.
    const why = "its node refuses it, and it pays nobody";
    return endHeldAttempts(parts, payout, { attempts, why, handle: "unused" });
  }
  const empties = await openCancellations(parts.database, payout.id);
  const mined = await lookUpEmpties(parts, wallet, payout, empties);
  if (mined === null) {
    await bringIn(parts, wallet, payout, { handle, attempts, empties });
    return wait();
  }
  if ((await depthOf(parts, payout, mined.found)) < parts.finalDepthOf(payout.slug)) return wait();
  const books = {
    post: parts.post,
    at: parts.clock.now(),
    feeSlug: parts.feeSlugOf(payout.network),
    feePaid: mined.found.feePaid,
  };
  await endHeldAttempts(
    parts,
    payout,
    { attempts, why: `the empty payment ${mined.txId} took its place`, handle: "used" },
    async (transaction) => {
      await endCancellations(transaction, payout.id, mined.txId);
      await bookFailedAttempt(transaction, payout, mined.txId, books);
    },
  );
}

async function lookUpEmpties(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  empties: readonly PreparedPayment[],
): Promise<{ txId: string; found: Extract<Lookup, { kind: "mined" }> } | null> {
  for (const { txId } of empties.toReversed()) {
    const found = await wallet.lookup(txId);
    if (found.kind === "mined" && (await isCanonical(parts.database, payout.network, found))) return { txId, found };
  }
  return null;
}

/** Signs the first empty payment, or one that pays more in the place of those that no block takes, and sends the newest. */
async function bringIn(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  given: { handle: Handle; attempts: readonly PreparedPayment[]; empties: readonly PreparedPayment[] },
): Promise<void> {
  const newest = given.empties.at(-1);
  const isStuck = newest !== undefined && (await mayReplace(parts, payout));
  const signed = newest === undefined || isStuck ? await signEmpty(parts, wallet, payout, given) : null;
  const empty = signed ?? newest;
  if (empty === undefined || (signed === null && (await wallet.lookup(empty.txId)).kind !== "absent")) return;
  const result = await wallet.broadcast(empty);
  if (result.kind === "accepted") return;
  parts.log.warn({ payoutId: payout.id.toString(), txId: empty.txId, ...result }, "a cancellation's result is unknown");
}

async function mayReplace(parts: PayoutParts, payout: PayoutRow): Promise<boolean> {
  const isLeft = payout.replacements < parts.replacement(payout.network).maxReplacements;
  return (await isReplacementDue(parts, payout)) && isLeft;
}

/** Signs, stores and commits it before anything leaves. Null where it can't pay more, or the payment is no longer in review. */
async function signEmpty(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  {
    handle,
    attempts,
    empties,
  }: { handle: Handle; attempts: readonly PreparedPayment[]; empties: readonly PreparedPayment[] },
): Promise<PreparedPayment | null> {
  const payer = await payerOf(parts, wallet, payout);
  const prepared = await payer?.prepareCancellation(handle, [...attempts, ...empties]);
  if (prepared == null) {
    await postponeReplacement(parts, payout);
    return null;
  }
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      const reserved = await reservedHandle(transaction, payout.id);
      if (locked?.state !== "review" || reserved?.keys.join() !== handle.keys.join()) return null;
      const known = await lastCancellation(transaction, payout.id);
      if (known !== null && known.txId !== empties.at(-1)?.txId) return known;
      await storeCancellation(transaction, payout, prepared, parts.clock.now());
      const replacements = payout.replacements + (empties.length > 0 ? 1 : 0);
      const next = { replacements, replace_at: replaceAt(parts, payout.network, replacements) };
      await transaction.updateTable("payouts").set(next).where("id", "=", payout.id).execute();
      parts.log.warn(
        { payoutId: payout.id.toString(), txId: prepared.txId },
        "an empty payment takes a refused one's place",
      );
      return prepared;
    },
    parts.probe,
  );
}

async function releaseUnused(parts: PayoutParts, payout: PayoutRow): Promise<void> {
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== "review") return;
      await releaseHandle(parts, transaction, payout.id, "unused");
      await transaction.updateTable("payouts").set({ next_attempt_at: null }).where("id", "=", payout.id).execute();
    },
    parts.probe,
  );
}
