import {
  NodeBehindError,
  NotEnoughFundsError,
  PaymentRefusedError,
  type Handle,
  type NetworkWallet,
  type PreparedChild,
  type PreparedReplacement,
} from "../../../chains/port.ts";
import { inTransaction } from "../../../db/transaction.ts";
import { payerOf, paymentOf, type Payer } from "../payer.ts";
import { areSame, isSendable, liveAttempts, markSent, storeAttempt, type Attempt } from "../attempts.ts";
import { costWithChildren, reserveChild } from "./child.ts";
import { liveChildren } from "./children.ts";
import { requireWithinLimits } from "../limits/over-charge.ts";
import { SIDE } from "../side.ts";
import {
  isOrdered,
  lockPayout,
  reservedHandle,
  reservedOn,
  schedulePayout,
  type PayoutParts,
  type PayoutRow,
} from "../store.ts";
import { fillNonceGap } from "./nonce-gap.ts";
import { isReplacementDue, markStuck, NOT_STUCK, postponeReplacement, replaceAt } from "./stuck.ts";

const CHECK_SECONDS = 5;

/**
 * Replaces a payment that no block takes by one that excludes it and pays more, with the handle that both share (engine law 5): signed,
 * stored, committed, and only then sent. Where that isn't legal, a payment to ourselves pays for it. True where it was sent. One that
 * can't be replaced (any more) stays on its way, with an alert.
 */
export async function replaceStuck(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempts: readonly Attempt[],
): Promise<boolean> {
  if (wallet.prepareReplacement === undefined || !(await isReplacementDue(parts, payout))) return false;
  if (await fillNonceGap(parts, wallet, payout)) return true;
  // One that was booked by its id can't be replaced: the bytes are not known.
  if (!attempts.every(isSendable)) return false;
  const { maxReplacements } = parts.replacement(payout.network);
  if (payout.replacements >= maxReplacements) {
    await markStuck(parts, payout, "replaced_too_often", `it was replaced ${payout.replacements} times`);
    return false;
  }
  const replacement = await signInTurn(parts, wallet, payout, attempts);
  if (replacement === null) return false;
  const result = await wallet.broadcast(replacement);
  parts.log.warn(
    { orderId: payout.orderId, payoutId: payout.id.toString(), txId: replacement.txId, ...result },
    isChild(replacement)
      ? "a payment to ourselves pays for one that no block takes"
      : "a payment that no block takes was replaced by one that pays more",
  );
  await inTransaction(
    parts.database,
    async (transaction) => {
      await lockPayout(transaction, payout.id);
      await markSent(transaction, payout.id, parts.clock.now());
      await schedulePayout(transaction, payout.id, CHECK_SECONDS);
    },
    parts.probe,
  );
  return true;
}

/** Null while it can't be replaced: what speaks against it is recorded, and the payment goes on as it was. */
async function signInTurn(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempts: readonly Attempt[],
): Promise<PreparedReplacement | PreparedChild | null> {
  try {
    return await parts.signInTurn(payout.network, () => sign(parts, wallet, payout, attempts));
  } catch (error) {
    if (error instanceof PaymentRefusedError) await markStuck(parts, payout, error.reason, error.message);
    else if (error instanceof NotEnoughFundsError) await markStuck(parts, payout, "not_enough_funds", error.message);
    else if (!(error instanceof NodeBehindError))
      parts.log.warn({ err: error, payoutId: payout.id.toString() }, "a stuck payment could not be replaced");
    await postponeReplacement(parts, payout);
    return null;
  }
}

async function sign(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempts: readonly Attempt[],
): Promise<PreparedReplacement | PreparedChild | null> {
  const instrument = { slug: payout.slug, networkTitle: payout.network };
  if ((await parts.switches.stoppedNow("pay", instrument, SIDE[payout.purpose])) !== null) return null;
  const payer = await payerOf(parts, wallet, payout);
  const handle = await reservedHandle(parts.database, payout.id);
  if (payer === null || handle === null) return null;
  const authorisation = isOrdered(payout) ? isAuthorised(parts, payout) : payer.owns(payout);
  const limit = await parts.costLimit(payout, "replacement");
  const prepared = (await authorisation) ? await prepare(parts, payer, payout, { handle, attempts, limit }) : null;
  if (prepared === null) {
    await postponeReplacement(parts, payout);
    return null;
  }
  const cost = isChild(prepared)
    ? await costWithChildren(parts, wallet, payout, { handle, child: prepared })
    : prepared.maxCost;
  await requireWithinLimits(parts, wallet, payout, { cost, limit });
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      const reserved = await reservedHandle(transaction, payout.id);
      // Another process replaced it in between, held it, or saw it in a block.
      if (locked?.state !== payout.state || locked.replacements !== payout.replacements) return null;
      if (reserved?.keys.join() !== handle.keys.join()) return null;
      if (!areSame(await liveAttempts(transaction, payout.id), attempts)) return null;
      const at = parts.clock.now();
      if (!isChild(prepared)) await storeAttempt(transaction, payout, { ...prepared, at, excludesReplaced: true });
      else if (!(await reserveChild(transaction, payout, handle, { ...prepared, at }))) return null;
      const replacements = payout.replacements + 1;
      const next = { replacements, ...NOT_STUCK, replace_at: replaceAt(parts, payout.network, replacements) };
      await transaction.updateTable("payouts").set(next).where("id", "=", payout.id).execute();
      return prepared;
    },
    parts.probe,
  );
}

/** Another transaction that excludes the stuck ones, or else a payment to ourselves that pays for one of them. */
async function prepare(
  { database }: PayoutParts,
  payer: Payer,
  payout: PayoutRow,
  { handle, attempts, limit }: { handle: Handle; attempts: readonly Attempt[]; limit: bigint | null },
): Promise<PreparedReplacement | PreparedChild | null> {
  const reserved = await reservedOn(database, payout.network, payer.address);
  const replacement = await payer.prepareReplacement(paymentOf(payout), handle, attempts, reserved, limit);
  return replacement ?? payer.prepareChild(attempts, await liveChildren(database, payout.id), reserved);
}

const isChild = (prepared: PreparedReplacement | PreparedChild): prepared is PreparedChild => "paysFor" in prepared;

/** What a reorganisation took out of its block was owed when it was first mined, and its order is over. */
async function isAuthorised(parts: PayoutParts, payout: PayoutRow): Promise<boolean> {
  return payout.state === "mined" || parts.authorisePayout(payout);
}
