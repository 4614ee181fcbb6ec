import type { Database } from "../db/database.ts";
import { canSweep, type Handle, type NetworkWallet, type Payment, type PreparedPayment } from "../chains/port.ts";
import type { PayoutRow } from "./payout-rows.ts";
import { loadSweep } from "./sweep-rows.ts";

/** The address that a payment leaves from. */
export type Payer = {
  address: string;
  balance(slug: string): Promise<bigint>;
  /** Null while the address can't pay the fee of now. */
  chooseHandle(payment: Payment, reserved: readonly Handle[]): Promise<Handle | null>;
  prepare(payment: Payment, handle: Handle): Promise<PreparedPayment>;
  /** For a payment that is part of a sweep: true when the sweep's own row says that it is this one (engine law 14). */
  owns(payment: PayoutRow): Promise<boolean>;
};

/** The hot wallet, but for the move of a sweep, which leaves from its deposit address. Null where a sweep's row or its wallet is missing. */
export async function payerOf(database: Database, wallet: NetworkWallet, payout: PayoutRow): Promise<Payer | null> {
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
