import {
  amountBesideFee,
  canSweep,
  type Handle,
  type NetworkWallet,
  type Payment,
  type PreparedChild,
  type PreparedPayment,
  type PreparedReplacement,
} from "../../chains/port.ts";
import type { PayoutParts, PayoutRow } from "./store.ts";
import { firstHeightOf, minedOf, readConsolidations } from "./consolidations.ts";
import { loadSweep } from "../sweeps/sweep-store.ts";

/** What a payout row asks a wallet to pay, in minor units. */
export const paymentOf = (payout: PayoutRow): Payment => ({
  slug: payout.slug,
  toAddress: payout.toAddress,
  toMemo: payout.toMemo,
  amount: payout.amount,
});

/** A handle, and what is paid with it: the fee of a sweep's coin comes out of the amount. */
export type ChosenHandle = { handle: Handle; amount: bigint };

/** The address that a payment is sent from. */
export type Payer = {
  address: string;
  balance(slug: string): Promise<bigint>;
  /** Null while the address can't pay the current fee, or the fee would take as much as is moved. */
  chooseHandle(payment: Payment, reserved: readonly Handle[], costLimit: bigint | null): Promise<ChosenHandle | null>;
  maxCost(handle: Handle): bigint;
  prepare(payment: Payment, handle: Handle): Promise<PreparedPayment>;
  /** Null where stuck payments from there can't be replaced, or not now. */
  prepareReplacement(
    payment: Payment,
    handle: Handle,
    stuck: readonly PreparedPayment[],
    reserved: readonly Handle[],
    costLimit: bigint | null,
  ): Promise<PreparedReplacement | null>;
  /** Null where no payment to ourselves can pay for a stuck one, or not now. */
  prepareChild(
    stuck: readonly PreparedPayment[],
    children: readonly PreparedPayment[],
    reserved: readonly Handle[],
  ): Promise<PreparedChild | null>;
  /** Null where an empty payment from there can't be signed, or not now. */
  prepareCancellation(
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<(PreparedPayment & { maxCost?: bigint }) | null>;
  /** For a payment that is part of a sweep: true when the sweep's own row says that it is this one (engine law 14). */
  owns(payment: PayoutRow): Promise<boolean>;
};

/** The hot wallet, which moves to itself what it holds when the payment is signed. */
const consolidating = (
  database: PayoutParts["database"],
  wallet: NetworkWallet,
  hot: Omit<Payer, "owns">,
  { network }: PayoutRow,
): Payer => ({
  ...hot,
  chooseHandle: async (_, reserved) => {
    const made = await readConsolidations(database, network);
    return (await wallet.chooseConsolidation?.(reserved, firstHeightOf(made), minedOf(made))) ?? null;
  },
  owns: async ({ toAddress }) => toAddress === wallet.hotAddress(),
});

/**
 * The hot wallet, except for a sweep's transfer, which is sent from its deposit address. Null where a sweep's row or
 * its wallet is missing.
 */
export async function payerOf(
  { database, feeSlugOf }: Pick<PayoutParts, "database" | "feeSlugOf">,
  wallet: NetworkWallet,
  payout: PayoutRow,
): Promise<Payer | null> {
  const hot: Omit<Payer, "owns"> = {
    address: wallet.hotAddress(),
    balance: (slug) => wallet.hotBalance(slug),
    chooseHandle: async (payment, ...given) => ({
      handle: await wallet.chooseHandle(payment, ...given),
      amount: payment.amount,
    }),
    maxCost: (handle) => wallet.maxCost(handle),
    prepare: (payment, handle) => wallet.prepare(payment, handle),
    prepareReplacement: async (...given) => (await wallet.prepareReplacement?.(...given)) ?? null,
    prepareChild: async (...given) => (await wallet.prepareChild?.(...given)) ?? null,
    prepareCancellation: async (...given) => (await wallet.prepareCancellation?.(...given)) ?? null,
  };
  if (payout.purpose === "consolidation") return consolidating(database, wallet, hot, payout);
  if (payout.sweepId === null) return { ...hot, owns: async () => false };
  const sweep = await loadSweep(database, payout.sweepId);
  if (sweep === null || sweep.network !== payout.network || !canSweep(wallet)) return null;
  if (payout.purpose === "gas") return { ...hot, owns: async (payment) => payment.toAddress === sweep.address };
  const { source } = sweep;
  return {
    address: sweep.address,
    balance: (slug) => wallet.depositBalance(source, slug),
    chooseHandle: async (payment, reserved) => {
      const handle = await wallet.chooseSweepHandle(source, payment, reserved);
      if (handle === null || payment.slug !== feeSlugOf(payout.network))
        return handle === null ? null : { handle, amount: payment.amount };
      const coins = await wallet.depositBalance(source, payment.slug);
      // Fees may have changed since it was planned; what else lies there belongs to another sweep.
      const amount = amountBesideFee(coins < sweep.amount ? coins : sweep.amount, wallet.maxCost(handle));
      return amount === null ? null : { handle, amount };
    },
    maxCost: (handle) => wallet.maxCost(handle),
    prepare: (payment, handle) => wallet.prepareSweep(source, payment, handle),
    prepareReplacement: async (payment, handle, stuck) =>
      (await wallet.prepareSweepReplacement?.(source, payment, handle, stuck)) ?? null,
    prepareChild: async () => null,
    prepareCancellation: async (...given) => (await wallet.prepareSweepCancellation?.(source, ...given)) ?? null,
    owns: async ({ toAddress, slug, amount }) =>
      toAddress === wallet.hotAddress() && slug === sweep.slug && amount <= sweep.amount,
  };
}
