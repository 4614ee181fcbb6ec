import type { Transaction } from "kysely";
import type { Handle, Lookup, NetworkWallet, PreparedChild } from "../../../chains/port.ts";
import type { Schema } from "../../../db/schema.ts";
import { bookChildren } from "../ledger.ts";
import { endChildren, liveChildren, storeChild } from "./children.ts";
import { depthOf, isReplacedForGood } from "../lookup.ts";
import { reserveHandle, type PayoutParts, type PayoutRow } from "../store.ts";
import { isCanonical } from "../../../chains/follower/index.ts";

/**
 * Stores a payment to ourselves that pays for a stuck one, beside what it spends. False where another payment has reserved that in
 * between.
 */
export async function reserveChild(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  { data }: Handle,
  { keys, ...child }: PreparedChild & { nonce?: number; at: Date },
): Promise<boolean> {
  // One that replaces another on its nonce shares what that has reserved.
  if (keys.length > 0 && !(await reserveHandle(transaction, payout, { keys, data }))) return false;
  await storeChild(transaction, payout, child);
  return true;
}

/**
 * Sends those that the node doesn't know again: the same bytes, after the attempt that they spend. `minedTxId` is the one that a block
 * holds; null while none does.
 */
export async function sendChildren(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  minedTxId: string | null,
): Promise<void> {
  for (const child of await liveChildren(parts.database, payout.id)) {
    if (minedTxId !== null && (child.nonce !== null || child.paysFor !== minedTxId)) continue;
    if ((await wallet.lookup(child.txId)).kind !== "absent") continue;
    const result = await wallet.broadcast(child);
    if (result.kind !== "accepted")
      parts.log.warn(
        { payoutId: payout.id.toString(), txId: child.txId, ...result },
        "a payment that pays for a stuck one could not be sent again",
      );
  }
}

type Mined = Extract<Lookup, { kind: "mined" }>;

/** What has become of a payment's children, now that one of its attempts is final. */
export type SettledChildren = readonly { txId: string; feePaid: bigint }[];

/** Those that are final, too; null while one may still be mined: its fee is owed until then, and what it spends stays reserved. */
export async function settledChildren(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  minedTxId: string,
): Promise<SettledChildren | null> {
  const settled: { txId: string; feePaid: bigint }[] = [];
  for (const { txId, paysFor, nonce } of await liveChildren(parts.database, payout.id)) {
    // Another attempt is final: what it would spend doesn't exist.
    if (nonce === null && paysFor !== minedTxId) continue;
    const found = await wallet.lookup(txId);
    // The chain has used a higher nonce: whatever has used this one is in a block already.
    if (nonce !== null && found.kind !== "mined") continue;
    if (found.kind === "replaced" && (await isReplacedForGood(parts, payout, found))) continue;
    if (found.kind !== "mined" || !(await isFinal(parts, payout, found))) return null;
    settled.push({ txId, feePaid: found.feePaid });
  }
  return settled;
}

async function isFinal(parts: PayoutParts, payout: PayoutRow, found: Mined): Promise<boolean> {
  if ((await depthOf(parts, payout, found)) < parts.finalDepthOf(payout.slug)) return false;
  return isCanonical(parts.database, payout.network, found);
}

/** Books what they cost, in the transaction that makes their payment final. */
export async function endSettled(
  parts: PayoutParts,
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  settled: SettledChildren,
): Promise<void> {
  const feePaid = settled.reduce((sum, child) => sum + child.feePaid, 0n);
  const feeSlug = parts.feeSlugOf(payout.network);
  await bookChildren(transaction, payout, { post: parts.post, at: parts.clock.now(), feeSlug, feePaid });
  await endChildren(
    transaction,
    payout.id,
    settled.map(({ txId }) => txId),
  );
}

/** What a payment costs with a further one that pays for it, in minor units of its network's coin. */
export async function costWithChildren(
  { database }: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  { handle, child }: { handle: Handle; child: PreparedChild },
): Promise<bigint> {
  const [children, { signed }] = await Promise.all([
    liveChildren(database, payout.id),
    database.kysely
      .selectFrom("payout_attempts")
      .select((build) => build.fn.max("max_cost").as("signed"))
      .where("payout_id", "=", payout.id)
      .executeTakeFirstOrThrow(),
  ]);
  return [...children, child].reduce((sum, { maxCost }) => sum + maxCost, signed ?? wallet.maxCost(handle));
}
