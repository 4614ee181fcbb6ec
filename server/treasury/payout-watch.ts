import { sql } from "kysely";
import { inTransaction } from "../db/transaction.ts";
import { type NetworkWallet, type Lookup, type PreparedPayment, TAIL_LENGTH } from "../chains/port.ts";
import { bookFinal, bookMined } from "./payout-ledger.ts";
import {
  reviewPayout,
  type PayoutParts,
  liveAttempt,
  lockPayout,
  schedulePayout,
  type PayoutRow,
} from "./payout-store.ts";
import type { Database } from "../db/database.ts";

const CHECK_SECONDS = 1;

/** Looks a payment up until the canonical tail shows it; one that the network dropped is broadcast again with the same bytes. */
export async function watchPayout(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempt = await liveAttempt(parts.database, payout.id);
  if (attempt === null) throw new Error(`payment ${payout.id} was broadcast without an attempt`);
  const found = await wallet.lookup(attempt.txId);
  if (found.kind === "absent") {
    if (await isProvablyDead(parts, wallet, payout, attempt)) return markAttemptDead(parts, payout, attempt);
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

/** Whether an attempt can never take effect any more, by a block of our own tail that nothing can undo (engine law 5). */
async function isProvablyDead(
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
async function isReplacedForGood(parts: PayoutParts, payout: PayoutRow, found: Lookup): Promise<boolean> {
  if (found.kind !== "replaced") return false;
  const tip = await tipHeight(parts.database, payout.network);
  if (tip - found.height + 1 < parts.finalDepthOf(payout.slug)) return false;
  return isCanonical(parts.database, payout.network, found);
}

/** Lets the payment be signed again with a new handle: the expired attempt can never be mined. */
async function markAttemptDead(parts: PayoutParts, payout: PayoutRow, attempt: PreparedPayment): Promise<void> {
  parts.log.warn(
    { orderId: payout.orderId, payoutId: payout.id.toString(), txId: attempt.txId },
    "a payment expired before it was mined; it is signed again",
  );
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      if (locked?.state !== "broadcast") return;
      const marked = await transaction
        .updateTable("payout_attempts")
        .set({ status: "dead" })
        .where("payout_id", "=", payout.id)
        .where("tx_id", "=", attempt.txId)
        .where("status", "in", ["prepared", "broadcast"])
        .returning("n")
        .executeTakeFirst();
      if (marked === undefined) return;
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

/** The hash that the canonical tail holds at a height, if it still remembers it. */
async function tailHashAt(database: Database, network: string, height: number): Promise<string | null> {
  const row = await database.kysely
    .selectFrom("chain_tail")
    .select("hash")
    .where("network", "=", network)
    .where("height", "=", height)
    .executeTakeFirst();
  return row?.hash ?? null;
}

/**
 * Whether a block that the network names is on our chain: it is on the tail, or below all of it, deeper than any reorganisation
 * (a process that was down for long reads on from there).
 */
async function isCanonical(
  database: Database,
  network: string,
  block: { height: number; hash: string },
): Promise<boolean> {
  const known = await tailHashAt(database, network, block.height);
  if (known !== null) return known === block.hash;
  const tail = await database.kysely
    .selectFrom("chain_tail")
    .select((build) => [build.fn.min("height").as("lowest"), build.fn.max("height").as("tip")])
    .where("network", "=", network)
    .executeTakeFirst();
  if (tail?.lowest == null || tail.tip == null) return false;
  return block.height < tail.lowest && tail.tip - block.height >= TAIL_LENGTH;
}

async function tipHeight(database: Database, network: string): Promise<number> {
  const row = await database.kysely
    .selectFrom("chain_tail")
    .select((build) => build.fn.max("height").as("height"))
    .where("network", "=", network)
    .executeTakeFirst();
  return row?.height ?? 0;
}
