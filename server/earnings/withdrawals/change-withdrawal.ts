import type { Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import {
  bookUnknownPayment,
  endHold,
  holdOf,
  lockAccounts,
  returnSettled,
  returnUnsent,
  unknownPaymentTo,
  withdrawalStop,
} from "../../treasury/index.ts";
import type { CorrectPayment, Corrected } from "../../treasury/port.ts";
import { OperatorError } from "../../admin/index.ts";
import { walletOf } from "../../treasury/ledger/entries.ts";
import { correctWithdrawal, endCorrection } from "./correct-withdrawal.ts";
import { payWithdrawal } from "./withdraw.ts";

/** `missing`: what its wallet lacks of what was paid more than it owed. */
type Changed = { before: object; after: object; missing: Corrected["missing"] | null };

/**
 * Pays a withdrawal that waits for an operator, or gives its sum back to the wallet: also one whose payment is in review or not signed
 * yet, where nothing that was signed for it can reach the chain any more (engine law 5), and one that was paid by a block which was undone. With `paidBy` an unknown payment is booked as its own
 * at once, and nothing is left to sign. Throws `OperatorError`.
 */
export async function changeWithdrawal(
  transaction: Transaction<Schema>,
  id: bigint,
  end: "approve" | "reject",
  at: Date,
  paidBy: string | null = null,
): Promise<Changed> {
  const row = await transaction
    .selectFrom("withdrawals")
    .select(["id", "user_id", "slug", "network", "address", "amount", "network_fee as networkFee", "state"])
    .select(["paid_slug as paidSlug", "paid_amount as paidAmount"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new OperatorError(`There is no withdrawal ${id}.`);
  const isOpen = row.state === "review" || (row.state !== "rejected" && end === "reject");
  if (!isOpen) throw new OperatorError(`Withdrawal ${id} is ${row.state}.`);
  const set = (to: { state: "approved" | "rejected"; approved_by_tx?: string | null; ended_at?: Date }) =>
    transaction.updateTable("withdrawals").set(to).where("id", "=", id).execute();
  let missing: Changed["missing"] = null;
  if (end === "approve") {
    // Those that are asked for, and approved, meanwhile follow it.
    await lockAccounts(transaction, [row.slug]);
    const stop = paidBy === null ? await withdrawalStop(transaction, row) : null;
    if (stop !== null)
      throw new OperatorError(
        `${stop}: decide that first (npm run admin -- unknown-payments). Where a payment that no row knows has paid this withdrawal, approve it with --transaction TRANSACTION.`,
      );
    await payWithdrawal(transaction, row, at);
    await set({ state: "approved", approved_by_tx: paidBy });
    if (paidBy !== null) missing = await bookAsPaid(transaction, row, paidBy, at);
  } else {
    await requireNotPaid(transaction, row);
    if (row.state !== "review") await returnUnsent(transaction, id);
    await lockAccounts(transaction, [row.slug, ...(row.paidSlug === null ? [] : [row.paidSlug])]);
    // The account may have been joined with another since.
    const to = walletOf(row.user_id);
    if (row.state === "settled") await returnSettled(transaction, holdOf(id), to, at);
    else await endHold(transaction, holdOf(id), { kind: "released", to }, at);
    await endCorrection(transaction, id, at);
    await set({ state: "rejected", ended_at: at });
  }
  const after = { state: end === "approve" ? "approved" : "rejected", ...(paidBy !== null && { paidBy }) };
  return { before: { state: row.state }, after, missing };
}

/** Its payment was never signed here: it is the one that the chain shows. */
async function bookAsPaid(
  transaction: Transaction<Schema>,
  { id, network }: { id: bigint; network: string },
  txId: string,
  at: Date,
): Promise<Changed["missing"]> {
  const payout = await transaction
    .selectFrom("payouts")
    .select("id")
    .where("withdrawal_id", "=", id)
    .executeTakeFirstOrThrow();
  const named = { network, txId, payoutId: payout.id, at };
  return (await bookUnknownPayment(transaction, named, paysNoOrder, correctWithdrawal)).missing;
}

const paysNoOrder: CorrectPayment = async (_, { orderId }) => {
  throw new Error(`a withdrawal was paid as order ${orderId}`);
};

/** After a restore it may wait again although it was paid: its sum would be in the wallet as well. */
async function requireNotPaid(
  transaction: Transaction<Schema>,
  row: { id: bigint; network: string; address: string; state: string },
): Promise<void> {
  const txId = await unknownPaymentTo(transaction, row);
  if (txId !== null)
    throw new OperatorError(
      `${txId} of ${row.network}, which no row knows, may have paid it: decide that first (npm run admin -- unknown-payments). ` +
        `If it did, ${row.state === "review" ? `"withdrawal approve ${row.id} REASON --as NAME --transaction ${txId}"` : `"unknown-payment book ${row.network} ${txId}" it`}.`,
    );
}
