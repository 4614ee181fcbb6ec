import { sql } from "kysely";
import { inTransaction } from "../db/transaction.ts";
import type { NetworkWallet } from "../chains/port.ts";
import { bookFinal, bookMined } from "./payout-books.ts";
import { buryAttempt, isProvablyDead, isReplacedForGood } from "./payout-death.ts";
import { reviewPayout, type PayoutParts } from "./payout-parts.ts";
import { isCanonical, liveAttempt, lockPayout, schedulePayout, tipHeight, type PayoutRow } from "./payout-rows.ts";

const CHECK_SECONDS = 1;

/** Looks a payment up until the canonical tail shows it; one that the network has lost is sent again with the same bytes. */
export async function watchPayout(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempt = await liveAttempt(parts.database, payout.id);
  if (attempt === null) throw new Error(`payment ${payout.id} was broadcast without an attempt`);
  const found = await wallet.lookup(attempt.txId);
  if (found.kind === "absent") {
    if (await isProvablyDead(parts, wallet, payout, attempt)) return buryAttempt(parts, payout, attempt);
    await wallet.broadcast(attempt);
  }
  if (await isReplacedForGood(parts, payout, found)) return reviewPayout(parts, payout, "replaced_on_chain");
  const isOnTail = found.kind === "mined" && (await isCanonical(parts.database, payout.network, found));
  if (found.kind !== "mined" || !isOnTail) return schedulePayout(parts.database, payout.id, CHECK_SECONDS);
  if (!found.succeeded) return reviewPayout(parts, payout, "failed_on_chain");
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== "broadcast") return;
      await transaction
        .updateTable("payouts")
        .set({
          state: "mined",
          mined_height: found.height,
          mined_hash: found.hash,
          next_attempt_at: sql<Date>`now() + make_interval(secs => ${CHECK_SECONDS})`,
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
  if (found.kind !== "mined" || !isOnTail || tip - found.height + 1 < parts.finalDepthOf(payout.slug)) {
    return schedulePayout(parts.database, payout.id, CHECK_SECONDS);
  }
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
      await transaction
        .updateTable("payout_handles")
        .set({ released_at: at })
        .where("payout_id", "=", payout.id)
        .where("released_at", "is", null)
        .execute();
      const feeSlug = parts.feeSlugOf(payout.network);
      await bookFinal(transaction, payout, { post: parts.post, at, feeSlug, feePaid: found.feePaid });
    },
    parts.probe,
  );
}
