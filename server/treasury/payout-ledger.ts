import { sql, type Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import {
  fundingEntries,
  gasEntries,
  networkFeeEntries,
  payoutEntries,
  sweepEntries,
  sweepFeeEntries,
} from "./entries.ts";
import type { PayoutRow } from "./payout-store.ts";
import type { PostTransfer } from "./port.ts";

type Books = { post: PostTransfer; at: Date };

/** Books a payment that the canonical chain shows, and wakes what waited for it. */
export async function bookMined(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  { post, at }: Books,
): Promise<void> {
  const { slug, amount, purpose } = payout;
  const sourceId = payout.id.toString();
  // The move of a sweep is booked when it is final: coins that a reorganisation may take back are not expected in the hot wallet.
  if (purpose === "sweep") return;
  const { kind, entries } = minedEntries(purpose, slug, amount);
  await post(transaction, { kind, sourceId, at, entries });
  const due = { next_attempt_at: sql<Date>`now()` };
  if (payout.orderId !== null)
    await transaction.updateTable("orders").set(due).where("id", "=", payout.orderId).execute();
  if (payout.sweepId !== null)
    await transaction.updateTable("sweeps").set(due).where("id", "=", payout.sweepId).execute();
  if (payout.exchangeId !== null)
    await transaction.updateTable("partner_exchanges").set(due).where("id", "=", payout.exchangeId).execute();
}

function minedEntries(purpose: PayoutRow["purpose"], slug: string, amount: bigint) {
  if (purpose === "gas") return { kind: "gas", entries: gasEntries(slug, amount) };
  if (purpose === "funding") return { kind: "funding", entries: fundingEntries(slug, amount) };
  return { kind: "payout", entries: payoutEntries(slug, amount) };
}

/** Books what a payment cost once nothing can undo it, and the move of a sweep with it. */
export async function bookFinal(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  { post, at, feeSlug, feePaid }: Books & { feeSlug: string; feePaid: bigint },
): Promise<void> {
  const sourceId = payout.id.toString();
  if (payout.purpose !== "sweep") {
    await post(transaction, { kind: "network_fee", sourceId, at, entries: networkFeeEntries(feeSlug, feePaid) });
    return;
  }
  await post(transaction, { kind: "sweep", sourceId, at, entries: sweepEntries(payout.slug, payout.amount) });
  await post(transaction, { kind: "sweep_fee", sourceId, at, entries: sweepFeeEntries(feeSlug, feePaid) });
  await transaction.updateTable("sweeps").set({ state: "done" }).where("id", "=", payout.sweepId).execute();
}

/** Books what an attempt cost that the chain has taken and failed: its payer paid for it all the same. */
export async function bookFailedAttempt(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  txId: string,
  { post, at, feeSlug, feePaid }: Books & { feeSlug: string; feePaid: bigint },
): Promise<void> {
  const entries = payout.purpose === "sweep" ? sweepFeeEntries(feeSlug, feePaid) : networkFeeEntries(feeSlug, feePaid);
  await post(transaction, { kind: "failed_attempt_fee", sourceId: `${payout.id} ${txId}`, at, entries });
}
