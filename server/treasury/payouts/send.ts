import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, kyselyOf, type QuerySource } from "../../db/transaction.ts";
import {
  FeesOverCapError,
  NodeBehindError,
  NotEnoughFundsError,
  PaymentRefusedError,
  TooManyPendingError,
  type Handle,
  type NetworkWallet,
  type PreparedPayment,
} from "../../chains/port.ts";
import { payerOf, paymentOf, type ChosenHandle, type Payer } from "./payer.ts";
import { isSendable, liveAttempts, storeAttempt } from "./attempts.ts";
import { broadcastFirst } from "./broadcast.ts";
import { recordFailure, reviewPayout } from "./failures.ts";
import { DEPOSIT_GONE, isDepositGone } from "./limits/lost-deposits.ts";
import { holdsForApproval } from "./limits/approval.ts";
import { unsafeWithdrawals } from "./limits/withdrawal-stop.ts";
import { requireWithinLimits, waitForLowerFee } from "./limits/over-charge.ts";
import {
  type PayoutParts,
  isOrdered,
  isUsed,
  lockPayout,
  releaseUnsigned,
  reservedHandle,
  reserveHandle,
  reservedOn,
  schedulePayout,
  type PayoutRow,
} from "./store.ts";
import { nextNonceOnChain, nonceOf } from "./nonces.ts";
import { markStuck, NOT_STUCK } from "./replacement/stuck.ts";
import { isBehindOthers, leaveQueue, queuePayment, recordFull } from "./queued-payments.ts";
import { SIDE } from "./side.ts";
import { unknownPaymentStop } from "./unknown-payments.ts";

const SHORTAGE_RETRY_SECONDS = 5;
/** A top-up is often on its way. */
const SHORTAGE_HELD_SECONDS = 120;
const NODE_RETRY_SECONDS = 2;
const STOPPED_RETRY_SECONDS = 5;
const HIGH_GAS_RETRY_SECONDS = 30;

/** Reserves, signs, stores and commits what was not stored yet, and only then broadcasts it (engine law 5). */
export async function sendPayout(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempt = (await liveAttempts(parts.database, payout.id)).at(-1) ?? (await signOrHold(parts, wallet, payout));
  // One that was booked meanwhile is another transaction, whose bytes are unknown.
  if (attempt === null || !isSendable(attempt)) return;
  await broadcastFirst(parts, wallet, payout, attempt);
}

/** Signs in the network's turn. What the payment itself is to blame for holds it or pauses it; the rest is thrown on. */
async function signOrHold(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
): Promise<PreparedPayment | null> {
  try {
    const attempt = await parts.signInTurn(payout.network, () => sign(parts, wallet, payout));
    if (attempt === null) await releaseHandle(parts, payout);
    return attempt;
  } catch (error) {
    await releaseHandle(parts, payout);
    if (error instanceof TooManyPendingError) {
      await recordFull(parts, payout, error.message);
      return null;
    }
    await leaveQueue(parts, payout);
    // What is swept was there when it was planned: without it, as after a restore, waiting would have no end.
    const isGone = error instanceof NotEnoughFundsError && payout.purpose === "sweep";
    if (isGone) await recordFailure(parts, payout, error.message);
    else if (error instanceof NotEnoughFundsError) await waitForFunds(parts, payout, error.message);
    else if (error instanceof NonceTooHighError) await waitForNonce(parts, payout, error.message);
    else if (error instanceof NodeBehindError) await waitForNode(parts, payout, error.message);
    else if (error instanceof FeesOverCapError) await waitForFees(parts, payout, error.message);
    else if (isOverCharge(error)) await waitForLowerFee(parts, payout, error.message);
    else if (error instanceof PaymentRefusedError) await reviewPayout(parts, payout, error.reason, error.message);
    else if (error instanceof PaymentFailure) await recordFailure(parts, payout, String(error.cause));
    else throw error;
    return null;
  }
}

/**
 * What is not signed in this turn keeps no nonce above those of others, whoever has reserved it: later ones would wait behind it. No bytes of
 * it use that, since they are stored before anything learns of them; another worker may have signed an empty payment on it meanwhile. One below
 * the nonces of others stays: they would wait for empty payments in the gap, far longer than for the next turn.
 */
async function releaseHandle({ database, probe }: PayoutParts, { id }: PayoutRow): Promise<void> {
  if ((await reservedHandle(database, id)) === null) return;
  await inTransaction(
    database,
    async (transaction) => {
      await lockPayout(transaction, id);
      if (await isBelowOthers(transaction, id)) return;
      if ((await liveAttempts(transaction, id)).length === 0) await releaseUnsigned(transaction, id);
    },
    probe,
  );
}

async function isBelowOthers(transaction: Transaction<Schema>, payoutId: bigint): Promise<boolean> {
  const { rows } = await sql<{ isBelow: boolean }>`
    select exists (select from payout_handles own
      join payout_handles later on later.network = own.network and later.id > own.id and later.released_at is null
      where own.payout_id = ${payoutId} and own.released_at is null and later.payout_id <> own.payout_id) as "isBelow"`.execute(
    transaction,
  );
  return rows[0]?.isBelow === true;
}

/** The node offers a nonce beyond our own ones that no block of ours shows: signed with it, nothing would ever reach the chain. */
class NonceTooHighError extends NodeBehindError {
  override name = "NonceTooHighError";
}

const isOverCharge = (error: unknown): error is PaymentRefusedError =>
  error instanceof PaymentRefusedError && error.reason === "fee_over_charge";

/** A wallet's call for one payment failed, while its network answers. */
class PaymentFailure extends Error {
  override name = "PaymentFailure";
}

async function blameThePayment<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const isKnown = [NotEnoughFundsError, PaymentRefusedError, NodeBehindError, FeesOverCapError].some(
      (kind) => error instanceof kind,
    );
    if (isKnown) throw error;
    throw new PaymentFailure("a payment could not be prepared", { cause: error });
  }
}

/** It has no nonce, so that nothing waits behind it. */
async function waitForFunds(parts: PayoutParts, payout: PayoutRow, why: string): Promise<void> {
  if (parts.isStopReminderDue(`too little ${payout.network} ${payout.slug}`))
    parts.log.error(
      { payoutId: payout.id.toString(), slug: payout.slug, reason: why },
      "the paying address has too little; payments wait",
    );
  const row = await parts.database.kysely
    .updateTable("payouts")
    .set({ short_since: sql<Date>`coalesce(short_since, now())` })
    .where("id", "=", payout.id)
    .where("state", "=", "intended")
    .returning(sql<boolean>`short_since <= now() - make_interval(secs => ${SHORTAGE_HELD_SECONDS})`.as("isLong"))
    .executeTakeFirst();
  if (row?.isLong === true) await markStuck(parts, payout, "not_enough_funds", why);
  await schedulePayout(parts.database, payout.id, SHORTAGE_RETRY_SECONDS);
}

/** It has no nonce yet, so that nothing waits behind it. */
async function waitForFees(parts: PayoutParts, payout: PayoutRow, reason: string): Promise<void> {
  await markStuck(parts, payout, "network_fees_over_cap", reason);
  await schedulePayout(parts.database, payout.id, HIGH_GAS_RETRY_SECONDS);
}

async function waitForNode(parts: PayoutParts, payout: PayoutRow, reason: string): Promise<void> {
  if (parts.isStopReminderDue(`${payout.network} waits for its node`))
    parts.log.warn({ payoutId: payout.id.toString(), network: payout.network, reason }, "payments wait for their node");
  await schedulePayout(parts.database, payout.id, NODE_RETRY_SECONDS);
}

/** It has no nonce, so that nothing waits behind it. */
async function waitForNonce(parts: PayoutParts, payout: PayoutRow, reason: string): Promise<void> {
  await markStuck(parts, payout, "nonce_too_high", reason);
  await schedulePayout(parts.database, payout.id, NODE_RETRY_SECONDS);
}

/**
 * Nonces are ours (engine laws 5, 18): a node's word raises them beyond the highest that we have used only as far as a block of our
 * own tail shows it, as after payments that were made outside.
 */
async function requireOwnNonce(
  parts: PayoutParts,
  wallet: NetworkWallet,
  reserved: readonly Handle[],
  handle: Handle,
): Promise<void> {
  const chosen = nonceOf(handle);
  if (chosen === null || wallet.noncesUsed === undefined) return;
  const { address, nonce } = chosen;
  const own = reserved.map(nonceOf).flatMap((one) => (one?.address === address ? [one.nonce] : []));
  if (nonce <= Math.max(-1, ...own) + 1) return;
  const next = await nextNonceOnChain(parts, wallet, address);
  if (next === null || next < nonce)
    throw new NonceTooHighError(
      `the node offers the nonce ${nonce}; our highest is ${own.length === 0 ? "none" : Math.max(...own)}, and the newest block read takes ${next ?? "an unknown one"} next`,
    );
}

async function sign(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<PreparedPayment | null> {
  if (await isBehindOthers(parts, payout)) {
    await queuePayment(parts, payout);
    return null;
  }
  const isConsolidation = payout.purpose === "consolidation";
  const stopped = (await stoppedNow(parts, payout)) ?? (await madeAlready(parts.database, payout));
  if (stopped !== null) {
    const about = { network: payout.network, slug: payout.slug, reason: stopped };
    if (parts.isStopReminderDue(Object.values(about).join(" ")))
      parts.log.warn(about, "payments are stopped; they wait");
    await leaveQueue(parts, payout);
    await schedulePayout(parts.database, payout.id, STOPPED_RETRY_SECONDS);
    return null;
  }
  const payer = await payerOf(parts, wallet, payout);
  if (payer === null || !(await (isOrdered(payout) ? parts.authorisePayout(payout) : payer.owns(payout)))) {
    await reviewPayout(parts, payout, "not_authorised");
    return null;
  }
  if (await lacksDeposit(parts.database, payout)) {
    await reviewPayout(parts, payout, DEPOSIT_GONE);
    return null;
  }
  if (await holdsForApproval(parts, payout)) return null;
  // Checked before a handle is taken: a reserved nonce that can't be used would stop every payment behind it.
  if (!isConsolidation && (await payer.balance(payout.slug)) < payout.amount)
    throw new NotEnoughFundsError(
      `the ${payout.sweepId === null ? "hot wallet" : "deposit address"} holds too little ${payout.slug}`,
    );
  const known = await reservedHandle(parts.database, payout.id);
  const chosen =
    known === null ? await reserve(parts, wallet, payer, payout) : { handle: known, amount: payout.amount };
  if (chosen === null) return null;
  const { handle, amount } = chosen;
  const prepared = await blameThePayment(payer.prepare({ ...paymentOf(payout), amount }, handle));
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      const stored = (await liveAttempts(transaction, payout.id)).at(-1);
      if (stored !== undefined) return stored;
      // Another process withdrew it in between, or took its handle back.
      const reserved = await reservedHandle(transaction, payout.id);
      if (
        locked === null ||
        !isSamePayment(locked, { ...payout, amount }) ||
        reserved?.keys.join() !== handle.keys.join()
      )
        return null;
      // Its node was asked for a while: a stop, a payment that no row knows, or a deposit that is lost, may have been written since the look above.
      const since = (await stoppedNow(parts, payout, transaction)) ?? (await madeAlready(transaction, payout));
      if (since !== null || (await lacksDeposit(transaction, locked))) {
        // Others would wait behind its nonce for as long as it waits.
        await releaseUnsigned(transaction, payout.id);
        return null;
      }
      // Nothing is alive: an attempt before this one, if any, is dead.
      await storeAttempt(transaction, payout, { ...prepared, at: parts.clock.now(), excludesReplaced: false });
      await transaction.updateTable("payouts").set(NOT_STUCK).where("id", "=", payout.id).execute();
      return { txId: prepared.txId, raw: prepared.raw };
    },
    parts.probe,
  );
}

const stoppedNow = ({ switches }: PayoutParts, { slug, network, purpose }: PayoutRow, tx?: Transaction<Schema>) =>
  switches.stoppedNow("pay", { slug, networkTitle: network }, SIDE[purpose], tx);

/**
 * Why it may have been made already since a restore, on any network. A consolidation pays nobody, and what waits for its network to be read waits
 * for it.
 */
async function madeAlready(source: QuerySource, payout: PayoutRow): Promise<string | null> {
  if (payout.purpose === "consolidation") return null;
  const stop = await unknownPaymentStop(source, payout);
  return stop ?? (payout.withdrawalId === null ? null : unsafeWithdrawals(kyselyOf(source)));
}

/** What a block has held, and was undone, is owed since. */
const lacksDeposit = async (source: QuerySource, payout: PayoutRow): Promise<boolean> =>
  payout.minedHeight === null && !payout.paysWithoutDeposit && (await isDepositGone(source, payout));

/**
 * Null when another payment took or used the same handle in between: the next turn chooses again. With a handle whose fee comes out of the amount
 * the row takes what is left to move, so that whoever signs next signs the same.
 */
async function reserve(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payer: Payer,
  payout: PayoutRow,
): Promise<ChosenHandle | null> {
  const reserved = await reservedOn(parts.database, payout.network, payer.address);
  const limit = await parts.costLimit(payout);
  const chosen = await blameThePayment(payer.chooseHandle(paymentOf(payout), reserved, limit));
  if (chosen !== null) await requireOwnNonce(parts, wallet, reserved, chosen.handle);
  if (chosen === null) {
    parts.log.warn(
      { payoutId: payout.id.toString(), from: payer.address },
      "gas costs more than its address can pay, or than it moves; the sweep waits",
    );
    await schedulePayout(parts.database, payout.id, HIGH_GAS_RETRY_SECONDS);
    return null;
  }
  await requireWithinLimits(parts, wallet, payout, { cost: payer.maxCost(chosen.handle), limit });
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      const known = await reservedHandle(transaction, payout.id);
      if (locked !== null && known !== null) return { handle: known, amount: locked.amount };
      if (locked === null || !isSamePayment(locked, payout)) return null;
      if (!(await reserveHandle(transaction, payout, chosen.handle))) {
        // A node that still offers what the chain has used gets time to read on.
        const isOver = await isUsed(transaction, payout.network, chosen.handle);
        await schedulePayout(transaction, payout.id, isOver ? NODE_RETRY_SECONDS : 0);
        return null;
      }
      if (chosen.amount !== locked.amount)
        await transaction.updateTable("payouts").set({ amount: chosen.amount }).where("id", "=", payout.id).execute();
      return chosen;
    },
    parts.probe,
  );
}

/** The row may have become another payment of its order since it was read. */
const isSamePayment = (locked: PayoutRow, payout: PayoutRow): boolean =>
  locked.state === "intended" &&
  locked.purpose === payout.purpose &&
  locked.slug === payout.slug &&
  locked.toAddress === payout.toAddress &&
  locked.toMemo === payout.toMemo &&
  locked.amount === payout.amount;
