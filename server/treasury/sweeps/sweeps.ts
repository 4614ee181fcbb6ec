import { inTransaction } from "../../db/transaction.ts";
import { amountBesideFee, canSweep, FeesOverCapError, type Payment, type SweepingWallet } from "../../chains/port.ts";
import { type PayoutParts, intendPayout } from "../payouts/store.ts";
import { loadSweep, lockSweep, planSweeps, scheduleSweep, type SweepRow } from "./sweep-store.ts";

const RETRY_SECONDS = 60;

export type SweepParts = Pick<PayoutParts, "database" | "wallets" | "clock" | "log" | "feeSlugOf" | "probe"> & {
  slugsOf(network: string): readonly string[];
  /** The minimum amount of an instrument that is worth a sweep, in minor units; null while there is no price. */
  minSweepAmount(slug: string): bigint | null;
};

/** Plans sweeps of deposit addresses that hold enough; networks whose wallet spends from all its addresses have none. */
export async function collectSweeps(parts: SweepParts): Promise<void> {
  for (const [network, wallet] of parts.wallets) {
    if (!canSweep(wallet)) continue;
    for (const slug of parts.slugsOf(network)) {
      const min = parts.minSweepAmount(slug);
      if (min === null) continue;
      const at = parts.clock.now();
      const made = await inTransaction(
        parts.database,
        (transaction) => planSweeps(transaction, { network, slug, min, at }),
        parts.probe,
      );
      if (made > 0) parts.log.info({ network, slug, sweeps: made }, "sweeps of deposit addresses are planned");
    }
  }
}

/**
 * Takes one sweep a step further: first the coins for its gas, where the address lacks them, then the move. Both are intents of the same
 * kind as payouts, so they are signed, stored, sent and looked up in the same way (engine law 5).
 */
export async function advanceSweep(parts: SweepParts, sweepId: bigint): Promise<void> {
  const sweep = await loadSweep(parts.database, sweepId);
  if (sweep === null || sweep.state !== "planned") return;
  const wallet = parts.wallets.get(sweep.network);
  if (wallet === undefined || !canSweep(wallet)) throw new Error(`no wallet can sweep ${sweep.network}`);
  const next = await nextPayment(parts, wallet, sweep);
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockSweep(transaction, sweepId);
      if (locked.state !== "planned") return;
      if (next === null) return scheduleSweep(transaction, sweepId, RETRY_SECONDS);
      const intent = { source: { sweepId }, network: sweep.network, toMemo: null, ...next };
      const isOpen = next.purpose === "gas" && (await hasOpenGas(transaction, sweepId));
      if (!isOpen) await intendPayout(transaction, intent, parts.clock.now());
      if (next.purpose === "sweep")
        await transaction.updateTable("sweeps").set({ state: "moving" }).where("id", "=", sweepId).execute();
      await scheduleSweep(transaction, sweepId, null);
    },
    parts.probe,
  );
}

type Next = { purpose: "gas" | "sweep"; slug: string; toAddress: string; amount: bigint };

/** Null while the network asks for more than the caps allow: nobody waits for a sweep. */
async function costWithinCaps(
  parts: SweepParts,
  wallet: SweepingWallet,
  { id, source }: SweepRow,
  payment: Payment,
): Promise<bigint | null> {
  try {
    return await wallet.sweepCost(source, payment);
  } catch (error) {
    if (!(error instanceof FeesOverCapError)) throw error;
    parts.log.warn({ sweepId: id.toString(), reason: error.message }, "a sweep waits for lower fees");
    return null;
  }
}

/** Null while moving it would cost as much as it moves, or more than the caps allow. */
async function nextPayment(parts: SweepParts, wallet: SweepingWallet, sweep: SweepRow): Promise<Next | null> {
  const { source, slug, amount } = sweep;
  const coin = parts.feeSlugOf(sweep.network);
  const toAddress = wallet.hotAddress();
  const payment: Payment = { slug, toAddress, toMemo: null, amount };
  // Gone since it was planned, as after the restore of a backup: the payment says so, and is held after its tries.
  if (slug !== coin && (await wallet.depositBalance(source, slug)) < amount)
    return { purpose: "sweep", slug, toAddress, amount };
  const cost = await costWithinCaps(parts, wallet, sweep, payment);
  if (cost === null) return null;
  if (slug === coin) {
    const moved = amountBesideFee(amount, cost);
    if (moved !== null) return { purpose: "sweep", slug, toAddress, amount: moved };
    parts.log.warn({ sweepId: sweep.id.toString() }, "a sweep costs more than it moves; it waits");
    return null;
  }
  const coins = await wallet.depositBalance(source, coin);
  if (coins >= cost) return { purpose: "sweep", slug, toAddress, amount };
  // Half as much again, so that a rise of the gas price in between needs no second payment.
  return { purpose: "gas", slug: coin, toAddress: sweep.address, amount: cost + cost / 2n - coins };
}

async function hasOpenGas(transaction: Parameters<typeof lockSweep>[0], sweepId: bigint): Promise<boolean> {
  const open = await transaction
    .selectFrom("payouts")
    .select("id")
    .where("sweep_id", "=", sweepId)
    .where("purpose", "=", "gas")
    .where("state", "in", ["intended", "broadcast"])
    .executeTakeFirst();
  return open !== undefined;
}
