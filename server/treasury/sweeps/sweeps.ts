import { powerOfTen } from "#contract/money.ts";
import { inTransaction } from "../../db/transaction.ts";
import {
  amountBesideFee,
  canSweep,
  FeesOverCapError,
  NodeBehindError,
  type Payment,
  PaymentRefusedError,
  type SweepingWallet,
} from "../../chains/port.ts";
import { type PayoutParts, intendPayout } from "../payouts/store.ts";
import { adoptSweeps } from "./found-sweeps.ts";
import { findOpenSweep } from "./open-sweep.ts";
import { forgetFailures, recordSweepFailure } from "./sweep-failures.ts";
import { loadSweep, lockSweep, planSweeps, scheduleSweep, type SweepRow } from "./sweep-store.ts";

const FEES_RETRY_SECONDS = 60;
const COST_RETRY_SECONDS = 600;
const FOUND_RETRY_SECONDS = 30;

export type SweepParts = Pick<
  PayoutParts,
  | "database"
  | "wallets"
  | "clock"
  | "log"
  | "feeSlugOf"
  | "finalDepthOf"
  | "priceUsd"
  | "decimalsOf"
  | "isStopReminderDue"
  | "probe"
> & {
  /** What a sweep may cost at most of what it moves. */
  maxCostBps: bigint;
  /** The network fee of the payment that brings a deposit address its gas, in minor units of the network's coin. */
  gasPaymentFee(network: string): Promise<bigint>;
  slugsOf(network: string): readonly string[];
  /** The minimum amount of an instrument that is worth a sweep, in minor units; null while there is no price. */
  minSweepAmount(slug: string): bigint | null;
};

/** Plans sweeps of deposit addresses that hold enough; networks whose wallet spends from all its addresses have none. */
export async function collectSweeps(parts: SweepParts): Promise<void> {
  for (const [network, wallet] of parts.wallets) {
    if (!canSweep(wallet)) continue;
    await adoptSweeps(parts, network);
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
  if (sweep === null || sweep.state !== "planned" || sweep.isHeld) return;
  const wallet = parts.wallets.get(sweep.network);
  if (wallet === undefined || !canSweep(wallet)) throw new Error(`no wallet can sweep ${sweep.network}`);
  // It was made already, as after a restore: which sweep that is is known once its block is final.
  if ((await findOpenSweep(parts.database, sweep)) !== null)
    return scheduleSweep(parts.database.kysely, sweepId, FOUND_RETRY_SECONDS);
  const next = await nextOrFailure(parts, wallet, sweep);
  if (next instanceof SweepFailure) return recordSweepFailure(parts, sweep, next);
  await inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockSweep(transaction, sweepId);
      if (locked.state !== "planned" || locked.isHeld) return;
      await forgetFailures(transaction, sweepId);
      if ("waitSeconds" in next) return scheduleSweep(transaction, sweepId, next.waitSeconds);
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

type Next = { purpose: "gas" | "sweep"; slug: string; toAddress: string; amount: bigint } | { waitSeconds: number };

/** A wallet's call for one sweep failed, while its network answers. */
class SweepFailure extends Error {
  override name = "SweepFailure";
  readonly reason: string;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.reason = cause instanceof PaymentRefusedError ? cause.reason : "failed_repeatedly";
  }
}

async function nextOrFailure(parts: SweepParts, wallet: SweepingWallet, sweep: SweepRow): Promise<Next | SweepFailure> {
  // What fails here is the node's fault, and no sweep's.
  const coins = await wallet.depositBalance(sweep.source, parts.feeSlugOf(sweep.network));
  try {
    return await nextPayment(parts, wallet, sweep, coins);
  } catch (error) {
    if (error instanceof FeesOverCapError) return waitForFees(parts, sweep, error.message);
    if (error instanceof NodeBehindError) throw error;
    return new SweepFailure(error);
  }
}

/** While the network asks for more than the caps allow: nobody waits for a sweep. */
function waitForFees({ log }: SweepParts, { id }: SweepRow, reason: string): Next {
  log.warn({ sweepId: id.toString(), reason }, "a sweep waits for lower fees");
  return { waitSeconds: FEES_RETRY_SECONDS };
}

/** Waits while all that it costs, with what is left at an address that may never be used again, is more than a small part of what it moves. */
async function nextPayment(parts: SweepParts, wallet: SweepingWallet, sweep: SweepRow, coins: bigint): Promise<Next> {
  const { source, slug, amount } = sweep;
  const coin = parts.feeSlugOf(sweep.network);
  const toAddress = wallet.hotAddress();
  const payment: Payment = { slug, toAddress, toMemo: null, amount };
  // Gone since it was planned, as after the restore of a backup: the payment says so, and is held after its tries.
  if (slug !== coin && (await wallet.depositBalance(source, slug)) < amount)
    return { purpose: "sweep", slug, toAddress, amount };
  const cost = await wallet.sweepCost(source, payment);
  if (slug === coin) {
    const moved = amountBesideFee(amount, cost);
    return moved !== null && isWorth(parts, sweep, cost)
      ? { purpose: "sweep", slug, toAddress, amount: moved }
      : waitToCostLess(parts, sweep, cost);
  }
  // What an earlier payment for gas has left there is used first, and was paid for already.
  const canPay = coins >= cost || (coins > 0n && (await wallet.chooseSweepHandle(source, payment, [])) !== null);
  if (canPay) return { purpose: "sweep", slug, toAddress, amount };
  const whole = cost + (await parts.gasPaymentFee(sweep.network));
  if (!isWorth(parts, sweep, whole)) return waitToCostLess(parts, sweep, whole);
  return { purpose: "gas", slug: coin, toAddress: sweep.address, amount: cost - coins };
}

const WHOLE_BPS = 10_000n;

/** Whether `cost`, in the network's coin, is a small part of what is moved; false without prices. */
function isWorth(parts: SweepParts, { network, slug, amount }: SweepRow, cost: bigint): boolean {
  const coin = parts.feeSlugOf(network);
  const worth = (of: string, units: bigint): bigint | null => {
    const price = parts.priceUsd(of);
    return price === null ? null : units * price;
  };
  const [costUsd, movedUsd] = slug === coin ? [cost, amount] : [worth(coin, cost), worth(slug, amount)];
  if (costUsd === null || movedUsd === null) return false;
  const [coinScale, scale] = [powerOfTen(parts.decimalsOf(coin)), powerOfTen(parts.decimalsOf(slug))];
  return costUsd * scale * WHOLE_BPS <= movedUsd * coinScale * parts.maxCostBps;
}

function waitToCostLess({ log, isStopReminderDue }: SweepParts, { network, slug, id }: SweepRow, cost: bigint): Next {
  // There may be thousands of small ones.
  if (isStopReminderDue(`sweep cost ${network} ${slug}`))
    log.warn({ network, slug, sweepId: id.toString(), cost: cost.toString() }, "sweeps wait until they cost less");
  return { waitSeconds: COST_RETRY_SECONDS };
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
