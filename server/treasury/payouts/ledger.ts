import { sql, type Transaction } from "kysely";
import { minOf } from "#contract/money.ts";
import type { Moved } from "../../chains/port.ts";
import type { Schema } from "../../db/schema.ts";
import {
  fundingEntries,
  gasEntries,
  networkFeeEntries,
  payoutEntries,
  reversedEntries,
  sweepEntries,
  sweepFeeEntries,
} from "../ledger/entries.ts";
import { endHold, lockAccounts, post as postNow } from "../ledger/ledger.ts";
import type { PayoutParts, PayoutRow } from "./store.ts";
import type { LedgerAccount, LedgerEntry, PostTransfer } from "../port.ts";

type Books = { post: PostTransfer; at: Date };

/** Books a payment that the canonical chain shows, and wakes what waited for it. */
export async function bookMined(
  { post, clock, notifyWithdrawal }: Pick<PayoutParts, "post" | "clock" | "notifyWithdrawal">,
  transaction: Transaction<Schema>,
  payout: PayoutRow,
): Promise<void> {
  const at = clock.now();
  const { slug, amount, purpose } = payout;
  const sourceId = payout.id.toString();
  // The move of a sweep is booked when it is final: coins that a reorganisation may take back are not expected in the hot wallet. A consolidation
  // leaves them there.
  if (purpose === "sweep" || purpose === "consolidation") return;
  if (payout.withdrawalId !== null) {
    // In another block again it is settled already.
    if (await settleWithdrawal(transaction, payout.withdrawalId, at))
      await notifyWithdrawal(transaction, payout.withdrawalId, "paid");
    return;
  }
  // Before the accounts: whoever handles the order has its row already, and posts last.
  const due = { next_attempt_at: sql<Date>`now()` };
  if (payout.orderId !== null)
    await transaction.updateTable("orders").set(due).where("id", "=", payout.orderId).execute();
  if (payout.sweepId !== null)
    await transaction.updateTable("sweeps").set(due).where("id", "=", payout.sweepId).execute();
  if (payout.exchangeId !== null)
    await transaction.updateTable("partner_exchanges").set(due).where("id", "=", payout.exchangeId).execute();
  const { kind, entries } = minedEntries(purpose, slug, amount);
  await post(transaction, { kind, sourceId, at, entries });
}

/** What was held of a wallet has left; false where that is known. */
async function settleWithdrawal(transaction: Transaction<Schema>, id: bigint, at: Date): Promise<boolean> {
  const { fee, slug, paidSlug, paidAmount } = await transaction
    .selectFrom("withdrawals")
    .select(["network_fee as fee", "slug", "paid_slug as paidSlug", "paid_amount as paidAmount"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const paid = paidSlug === null || paidAmount === null ? null : { slug: paidSlug, amount: paidAmount };
  await lockAccounts(transaction, paid === null ? [slug] : [slug, paid.slug]);
  await endHold(transaction, holdOf(id), { kind: "settled", fee, paid }, at);
  const { numUpdatedRows } = await transaction
    .updateTable("withdrawals")
    .set({ state: "settled", ended_at: at })
    .where("id", "=", id)
    .where("state", "=", "approved")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What the hold of a withdrawal is called in the ledger. */
export const holdOf = (withdrawalId: bigint): string => `withdrawal ${withdrawalId}`;

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
  const isSweep = payout.purpose === "sweep";
  const kind = isSweep ? "sweep_fee" : "network_fee";
  const booked = await bookedSum(transaction, kind, payout.id);
  const left = feePaid - booked.sum;
  const entries = isSweep ? sweepFeeEntries(feeSlug, left) : networkFeeEntries(feeSlug, left);
  if (left !== 0n) await post(transaction, { kind, sourceId: booked.next, at, entries });
  if (!isSweep) return;
  // Another of its transactions may have moved another amount.
  const moved = await bookedSum(transaction, "sweep", payout.id, "deposits");
  const rest = sweepEntries(payout.slug, payout.amount + moved.sum);
  if (payout.amount + moved.sum !== 0n)
    await post(transaction, { kind: "sweep", sourceId: moved.next, at, entries: rest });
  await transaction.updateTable("sweeps").set({ state: "done" }).where("id", "=", payout.sweepId).execute();
}

/** More than a payment is ever final: each time a reorganisation has to undo what was. */
const MAX_BOOKINGS = 20;

/** What a payment has cost an account by the books: a reorganisation may have undone what was final, and another of its transactions costs more. */
async function bookedSum(
  transaction: Transaction<Schema>,
  kind: string,
  id: bigint | string,
  account: LedgerAccount = "treasury",
): Promise<{ sum: bigint; next: string; ids: string[] }> {
  const ids = Array.from({ length: MAX_BOOKINGS }, (_, at) => (at === 0 ? `${id}` : `${id} ${at + 1}`));
  const { rows } = await sql<{ sum: bigint; count: number }>`
    select coalesce(-sum(e.amount), 0) as sum, count(*)::int as count from ledger_transfers t
    join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
    where t.kind = ${kind} and t.source_id = any(${ids}::text[]) and a.name = ${account}`.execute(transaction);
  const { sum = 0n, count = 0 } = rows[0] ?? {};
  const next = ids[count];
  if (next === undefined) throw new Error(`payment ${id} was booked ${count} times`);
  return { sum, next, ids };
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

/** Books what a payment has moved that did not pay what was asked. What is owed beyond that stays owed while it is held. */
export async function bookPartlyPaid(
  parts: Pick<PayoutParts, "post" | "clock" | "notifyWithdrawal">,
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  { spent, arrived, txId, feeSlug, feePaid }: Moved & { txId: string; feeSlug: string; feePaid: bigint },
): Promise<void> {
  const { slug, purpose } = payout;
  const [at, sourceId] = [parts.clock.now(), payout.id.toString()];
  await bookFailedAttempt(transaction, payout, txId, { post: parts.post, at, feeSlug, feePaid });
  if (purpose === "sweep") {
    await parts.post(transaction, { kind: "sweep", sourceId, at, entries: sweepEntries(slug, arrived) });
    const lost = sweepFeeEntries(slug, spent - arrived);
    if (spent > arrived) await parts.post(transaction, { kind: "moved_beside", sourceId, at, entries: lost });
    return;
  }
  const booked = minOf(spent, payout.amount);
  await bookMined(parts, transaction, { ...payout, amount: booked });
  const beside = networkFeeEntries(slug, spent - booked);
  if (spent > booked) await parts.post(transaction, { kind: "moved_beside", sourceId, at, entries: beside });
}

/**
 * Books what payments to ourselves cost that paid for a stuck one; they have moved nothing else. Where a reorganisation has undone what was
 * final, the difference.
 */
export async function bookChildren(
  transaction: Transaction<Schema>,
  payout: PayoutRow,
  { post, at, feeSlug, feePaid }: Books & { feeSlug: string; feePaid: bigint },
): Promise<void> {
  const kind = "child_fee";
  const booked = await bookedSum(transaction, kind, payout.id);
  const left = feePaid - booked.sum;
  if (left === 0n) return;
  const entries = payout.purpose === "sweep" ? sweepFeeEntries(feeSlug, left) : networkFeeEntries(feeSlug, left);
  await post(transaction, { kind, sourceId: booked.next, at, entries });
}

/**
 * Makes the books say what a payment to ourselves has cost of which there is no row of ours, and what it has brought to a deposit address as gas:
 * nothing while no block has it.
 */
export async function bookToOurselves(
  transaction: Transaction<Schema>,
  { network, txId, gas }: { network: string; txId: string; gas: bigint },
  { post, at, feeSlug, feePaid }: Books & { feeSlug: string; feePaid: bigint },
): Promise<void> {
  const id = `${network} ${txId}`;
  const fee = await bookedSum(transaction, "to_ourselves_fee", id);
  const moved = await bookedSum(transaction, "to_ourselves_gas", id, "deposits");
  const [feeLeft, gasLeft] = [feePaid - fee.sum, gas - moved.sum];
  const feeEntries = networkFeeEntries(feeSlug, feeLeft);
  if (feeLeft !== 0n)
    await post(transaction, { kind: "to_ourselves_fee", sourceId: fee.next, at, entries: feeEntries });
  const entries = gasEntries(feeSlug, gasLeft);
  if (gasLeft !== 0n) await post(transaction, { kind: "to_ourselves_gas", sourceId: moved.next, at, entries });
}

/** Takes back what was booked of the move of a sweep whose block is undone, where nothing sends it again. */
export async function reverseSweep(transaction: Transaction<Schema>, id: bigint, at: Date): Promise<void> {
  for (const kind of ["sweep", "sweep_fee"]) {
    const { next, ids } = await bookedSum(transaction, kind, id, "deposits");
    const { rows: booked } = await sql<LedgerEntry>`
      select a.name as account, a.slug, sum(e.amount) as amount from ledger_transfers t
      join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
      where t.kind = ${kind} and t.source_id = any(${ids}::text[]) group by a.name, a.slug having sum(e.amount) <> 0`.execute(
      transaction,
    );
    if (booked.length > 0) await postNow(transaction, { kind, sourceId: next, at, entries: reversedEntries(booked) });
  }
}
