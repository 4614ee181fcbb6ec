import type { Transaction } from "kysely";
import type { Handle, NetworkWallet, PreparedPayment } from "../chains/port.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { endHeldAttempt, releaseHandle } from "./payout-end-attempt.ts";
import { REVIEW_CHECK_SECONDS } from "./payout-failures.ts";
import { bookFailedAttempt } from "./payout-ledger.ts";
import { lockPayout, reservedHandle, schedulePayout, type PayoutParts, type PayoutRow } from "./payout-store.ts";
import { isCanonical, tipHeight } from "./payout-tail.ts";

/**
 * Frees the handle of a held payment that no node takes, so that those behind it go on. Bytes that were sent may still be somewhere:
 * an empty payment on the same handle excludes them, and only its final block proves that they are dead (engine law 5).
 */
export async function freeHandle(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempt: PreparedPayment | null,
): Promise<void> {
  const handle = await reservedHandle(parts.database, payout.id);
  if (handle === null) return;
  if (wallet.prepareCancellation === undefined) {
    // Nothing was signed with it, and nothing behind it waits for it.
    if (attempt === null) return releaseUnused(parts, payout);
    return schedulePayout(parts.database, payout.id, REVIEW_CHECK_SECONDS);
  }
  const empty =
    (await storedCancellation(parts, payout.id)) ?? (await storeCancellation(parts, wallet, payout, handle));
  if (empty === null) return;
  const found = await wallet.lookup(empty.txId);
  if (found.kind === "absent") {
    const result = await wallet.broadcast(empty);
    if (result.kind !== "accepted")
      parts.log.warn(
        { payoutId: payout.id.toString(), txId: empty.txId, ...result },
        "a cancellation's result is unknown",
      );
  }
  if (found.kind !== "mined" || !(await isCanonical(parts.database, payout.network, found)))
    return schedulePayout(parts.database, payout.id, REVIEW_CHECK_SECONDS);
  const depth = (await tipHeight(parts.database, payout.network)) - found.height + 1;
  if (depth < parts.finalDepthOf(payout.slug)) return schedulePayout(parts.database, payout.id, REVIEW_CHECK_SECONDS);
  const books = {
    post: parts.post,
    at: parts.clock.now(),
    feeSlug: parts.feeSlugOf(payout.network),
    feePaid: found.feePaid,
  };
  await endHeldAttempt(
    parts,
    payout,
    attempt,
    `the empty payment ${empty.txId} took its place`,
    async (transaction) => {
      await endCancellation(transaction, payout.id, "mined");
      await bookFailedAttempt(transaction, payout, empty.txId, books);
    },
  );
}

async function storedCancellation({ database }: PayoutParts, payoutId: bigint): Promise<PreparedPayment | null> {
  const row = await database.kysely
    .selectFrom("payout_cancellations")
    .select(["tx_id as txId", "raw"])
    .where("payout_id", "=", payoutId)
    .where("status", "=", "prepared")
    .executeTakeFirst();
  return row ?? null;
}

/** Signs, stores and commits it before anything leaves. Null where the payment is no longer in review. */
async function storeCancellation(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  handle: Handle,
): Promise<PreparedPayment | null> {
  const prepared = await wallet.prepareCancellation?.(handle);
  if (prepared === undefined) return null;
  const { id: payout_id, network } = payout;
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout_id);
      const reserved = await reservedHandle(transaction, payout_id);
      if (locked?.state !== "review" || reserved?.keys.join() !== handle.keys.join()) return null;
      const known = await transaction
        .selectFrom("payout_cancellations")
        .select(["n", "tx_id as txId", "raw", "status"])
        .where("payout_id", "=", payout_id)
        .orderBy("n", "desc")
        .limit(1)
        .executeTakeFirst();
      if (known?.status === "prepared") return known;
      const row = { payout_id, n: (known?.n ?? 0) + 1, network, tx_id: prepared.txId, raw: prepared.raw };
      await transaction
        .insertInto("payout_cancellations")
        .values({ ...row, status: "prepared", prepared_at: parts.clock.now() })
        .execute();
      parts.log.warn(
        { payoutId: payout_id.toString(), txId: prepared.txId },
        "an empty payment takes a refused one's place",
      );
      return prepared;
    },
    parts.probe,
  );
}

/** Called when either of the two is final. */
export async function endCancellation(
  transaction: Transaction<Schema>,
  payoutId: bigint,
  status: "mined" | "dead",
): Promise<void> {
  await transaction
    .updateTable("payout_cancellations")
    .set({ status })
    .where("payout_id", "=", payoutId)
    .where("status", "=", "prepared")
    .execute();
}

async function releaseUnused(parts: PayoutParts, payout: PayoutRow): Promise<void> {
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== "review") return;
      await releaseHandle(parts, transaction, payout.id);
      await transaction.updateTable("payouts").set({ next_attempt_at: null }).where("id", "=", payout.id).execute();
    },
    parts.probe,
  );
}
