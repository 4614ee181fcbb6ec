import type { Lookup, NetworkWallet, PreparedPayment } from "../../chains/port.ts";
import { isSendable, type Attempt } from "./attempts.ts";
import type { PayoutParts, PayoutRow } from "./store.ts";
import { confirmationsAt, isCanonical, readTip, tailHashAt } from "../../chains/follower/index.ts";

export type MinedAttempt = { attempt: Attempt; found: Extract<Lookup, { kind: "mined" }> };
export type Rival = Extract<Lookup, { kind: "replaced" }>;

/** What the chain and its node say of all attempts of a payment. */
export type AttemptsOnChain = {
  /** The one that our tail shows; there is one at most, since each excludes the others. */
  mined: MinedAttempt | null;
  /** Another transaction, none of ours, that has spent what they spend. */
  rival: Rival | null;
  /** Those which the node doesn't know and which can be sent again, the newest first. */
  absent: Attempt[];
  /** Whether the node knows none of them. */
  isUnknown: boolean;
};

/** Looks every attempt up, the newest first, until one is found on our tail. */
export async function lookUpAttempts(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempts: readonly Attempt[],
): Promise<AttemptsOnChain> {
  const own = new Set(attempts.map(({ txId }) => txId));
  const absent: Attempt[] = [];
  let isUnknown = true;
  let rival: Rival | null = null;
  for (const attempt of attempts.toReversed()) {
    const found = await wallet.lookup(attempt.txId);
    if (found.kind === "mined" && (await isCanonical(parts.database, payout.network, found)))
      return { mined: { attempt, found }, rival: null, absent: [], isUnknown: false };
    if (found.kind === "absent") absent.push(attempt);
    else if (found.kind !== "replaced") isUnknown = false;
    else if (!own.has(found.byTxId)) rival = found;
  }
  return { mined: null, rival, absent: absent.filter(isSendable), isUnknown };
}

/** The blocks on top of one, itself included. */
export async function depthOf(parts: PayoutParts, payout: PayoutRow, { height }: { height: number }): Promise<number> {
  return confirmationsAt(await readTip(parts.database.kysely, payout.network), height);
}

/** Whether none of the attempts can take effect any more, by a block of our own tail that nothing can undo (engine law 5). */
export async function areProvablyDead(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempts: readonly PreparedPayment[],
): Promise<boolean> {
  if (wallet.deadAt === undefined) return false;
  const tip = await readTip(parts.database.kysely, payout.network);
  if (tip === null) return false;
  const finalHeight = tip - parts.finalDepthOf(payout.slug) + 1;
  const hash = await tailHashAt(parts.database, payout.network, finalHeight);
  if (hash === null) return false;
  for (const attempt of attempts) if ((await wallet.deadAt(attempt, finalHeight)) !== hash) return false;
  return true;
}

/**
 * Whether another transaction has spent what this payment spends, in a block that nothing can undo. An operator decides: that transaction
 * may have paid the very same outputs under another id.
 */
export async function isReplacedForGood(parts: PayoutParts, payout: PayoutRow, rival: Rival): Promise<boolean> {
  if ((await depthOf(parts, payout, rival)) < parts.finalDepthOf(payout.slug)) return false;
  return isCanonical(parts.database, payout.network, rival);
}
