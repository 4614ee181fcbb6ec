import { sql } from "kysely";
import { inTransaction } from "../db/transaction.ts";
import { type NetworkWallet, type Payment, canSweep, type Handle, type PreparedPayment } from "../chains/port.ts";
import {
  reviewPayout,
  type PayoutParts,
  liveAttempt,
  lockPayout,
  nextAttempt,
  reservedHandle,
  reserveHandle,
  reservedOn,
  schedulePayout,
  type PayoutRow,
} from "./payout-store.ts";
import type { Database } from "../db/database.ts";
import { loadSweep } from "./sweep-store.ts";

const CHECK_SECONDS = 1;
const SHORTAGE_RETRY_SECONDS = 5;
const STOPPED_RETRY_SECONDS = 5;
const HIGH_GAS_RETRY_SECONDS = 30;

/** The side of a pair that a payment belongs to, for kill switches: refunds and sweeps move what came in, payouts what was bought. */
const SIDE = { payout: "to", gas: "to", refund: "from", sweep: "from", funding: "from" } as const;

type Attempt = { txId: string; raw: string };

/** Reserves, signs, stores and commits what was not stored yet, and only then broadcasts it (engine law 5). */
export async function sendPayout(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<void> {
  const attempt =
    (await liveAttempt(parts.database, payout.id)) ??
    (await parts.signInTurn(payout.network, () => sign(parts, wallet, payout)));
  if (attempt === null) return;
  await broadcast(parts, wallet, payout, attempt);
}

async function sign(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<Attempt | null> {
  const instrument = { slug: payout.slug, networkTitle: payout.network };
  const stopped = await parts.switches.stoppedNow("pay", instrument, SIDE[payout.purpose]);
  if (stopped !== null) {
    parts.log.warn({ payoutId: payout.id.toString(), reason: stopped }, "payments are stopped; this one waits");
    await schedulePayout(parts.database, payout.id, STOPPED_RETRY_SECONDS);
    return null;
  }
  const payer = await payerOf(parts.database, wallet, payout);
  if (payer === null || !(await (payout.sweepId === null ? parts.authorisePayout(payout) : payer.owns(payout)))) {
    await reviewPayout(parts, payout, "not_authorised");
    return null;
  }
  // Checked before a handle is taken: a reserved nonce that can't be used would stop every payment behind it.
  if ((await payer.balance(payout.slug)) < payout.amount) {
    parts.log.error(
      { payoutId: payout.id.toString(), slug: payout.slug, from: payer.address },
      "the paying address has too little; the payment waits",
    );
    await schedulePayout(parts.database, payout.id, SHORTAGE_RETRY_SECONDS);
    return null;
  }
  const payment = paymentOf(payout);
  const handle = (await reservedHandle(parts.database, payout.id)) ?? (await reserve(parts, payer, payout, payment));
  if (handle === null) return null;
  const prepared = await payer.prepare(payment, handle);
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      const known = await liveAttempt(transaction, payout.id);
      if (known !== null) return known;
      // Another process withdrew it in between.
      if (locked?.state !== "intended") return null;
      await transaction
        .insertInto("payout_attempts")
        .values({
          payout_id: payout.id,
          n: await nextAttempt(transaction, payout.id),
          network: payout.network,
          tx_id: prepared.txId,
          raw: prepared.raw,
          status: "prepared",
          prepared_at: parts.clock.now(),
        })
        .execute();
      return { txId: prepared.txId, raw: prepared.raw };
    },
    parts.probe,
  );
}

/** Null when another payment took the same handle in between: the next turn chooses again. */
async function reserve(parts: PayoutParts, payer: Payer, payout: PayoutRow, payment: Payment) {
  const chosen = await payer.chooseHandle(payment, await reservedOn(parts.database, payout.network, payer.address));
  if (chosen === null) {
    parts.log.warn(
      { payoutId: payout.id.toString(), from: payer.address },
      "gas costs more than estimated; the sweep waits",
    );
    await schedulePayout(parts.database, payout.id, HIGH_GAS_RETRY_SECONDS);
    return null;
  }
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      const known = await reservedHandle(transaction, payout.id);
      if (known !== null) return known;
      if (locked?.state !== "intended") return null;
      if (await reserveHandle(transaction, payout, chosen)) return chosen;
      await schedulePayout(transaction, payout.id, 0);
      return null;
    },
    parts.probe,
  );
}

const paymentOf = (payout: PayoutRow): Payment => ({
  slug: payout.slug,
  toAddress: payout.toAddress,
  toMemo: payout.toMemo,
  amount: payout.amount,
});

async function broadcast(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempt: Attempt,
): Promise<void> {
  const result = await wallet.broadcast(attempt);
  if (result.kind === "unknown") {
    parts.log.warn(
      { orderId: payout.orderId, txId: attempt.txId, reason: result.reason },
      "a broadcast's result is unknown; it is looked up by its id",
    );
  }
  await inTransaction(
    parts.database,
    async (transaction) => {
      await lockPayout(transaction, payout.id);
      await transaction
        .updateTable("payout_attempts")
        .set({ status: "broadcast", broadcast_at: parts.clock.now() })
        .where("payout_id", "=", payout.id)
        .where("status", "=", "prepared")
        .execute();
      await transaction
        .updateTable("payouts")
        .set({ state: "broadcast", next_attempt_at: sql<Date>`now() + make_interval(secs => ${CHECK_SECONDS})` })
        .where("id", "=", payout.id)
        .where("state", "=", "intended")
        .execute();
    },
    parts.probe,
  );
}

/** The address that a payment is sent from. */
export type Payer = {
  address: string;
  balance(slug: string): Promise<bigint>;
  /** Null while the address can't pay the current fee. */
  chooseHandle(payment: Payment, reserved: readonly Handle[]): Promise<Handle | null>;
  prepare(payment: Payment, handle: Handle): Promise<PreparedPayment>;
  /** For a payment that is part of a sweep: true when the sweep's own row says that it is this one (engine law 14). */
  owns(payment: PayoutRow): Promise<boolean>;
};

/**
 * The hot wallet, except for a sweep's transfer, which is sent from its deposit address. Null where a sweep's row or
 * its wallet is missing.
 */
async function payerOf(database: Database, wallet: NetworkWallet, payout: PayoutRow): Promise<Payer | null> {
  const hot: Omit<Payer, "owns"> = {
    address: wallet.hotAddress(),
    balance: (slug) => wallet.hotBalance(slug),
    chooseHandle: (payment, reserved) => wallet.chooseHandle(payment, reserved),
    prepare: (payment, handle) => wallet.prepare(payment, handle),
  };
  if (payout.sweepId === null) return { ...hot, owns: async () => false };
  const sweep = await loadSweep(database, payout.sweepId);
  if (sweep === null || sweep.network !== payout.network || !canSweep(wallet)) return null;
  if (payout.purpose === "gas") return { ...hot, owns: async (payment) => payment.toAddress === sweep.address };
  const { source } = sweep;
  return {
    address: sweep.address,
    balance: (slug) => wallet.depositBalance(source, slug),
    chooseHandle: (payment, reserved) => wallet.chooseSweepHandle(source, payment, reserved),
    prepare: (payment, handle) => wallet.prepareSweep(source, payment, handle),
    owns: async ({ toAddress, slug, amount }) =>
      toAddress === wallet.hotAddress() && slug === sweep.slug && amount <= sweep.amount,
  };
}
