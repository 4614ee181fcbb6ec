import type { Transaction } from "kysely";
import { maxOf } from "#contract/money.ts";
import type { Schema } from "../../db/schema.ts";
import { OperatorError } from "../../admin/index.ts";
import { lockAccounts } from "../../treasury/index.ts";
import type { CorrectWithdrawal } from "../../treasury/port.ts";
import { takeOutstanding } from "../outstanding.ts";
import { addCredits } from "../wallet.ts";

/**
 * Makes a withdrawal say what it has paid, by a payment that was made before its sum was decided anew: what it paid less goes back to the
 * wallet, and what it paid more is taken from it, the rest from what the account is credited next. Another coin counts at the price of this withdrawal. Each time the sum of
 * all that was given and taken becomes the difference to what it is to pay by its own row, so that nothing is left of a payment that was unbooked.
 * What is missing then, because it was withdrawn meanwhile, isn't paid: it never owes more than is held for it. One that an operator has approved by
 * the payment that was unbooked waits for an operator again.
 */
export const correctWithdrawal: CorrectWithdrawal = async (transaction, { withdrawalId, txId, amount: paid, at }) => {
  const row = await transaction
    .selectFrom("withdrawals")
    .select([
      "user_id as userId",
      "slug",
      "amount",
      "network_fee as networkFee",
      "state",
      "approved_by_tx as approvedBy",
    ])
    .select(["paid_slug as paidSlug", "paid_amount as paidAmount", "quoted_amount as quotedAmount", "corrected"])
    .where("id", "=", withdrawalId)
    .forUpdate()
    .executeTakeFirst();
  if (row?.state !== "approved")
    throw new OperatorError(
      `${txId} is no payment of withdrawal ${withdrawalId}, which is ${row?.state ?? "missing"}.`,
    );
  const { userId, slug, corrected } = row;
  const held = row.amount - row.networkFee;
  const isOtherCoin = row.paidSlug !== null && row.paidSlug !== slug;
  const quoted = isOtherCoin ? (row.quotedAmount ?? row.paidAmount ?? held) : held;
  await lockAccounts(transaction, [slug]);
  const balance = (await takeOutstanding(transaction, { userId, slug }, at)) ?? 0n;
  const change = held - (held * (paid ?? quoted)) / quoted - corrected;
  const missing = maxOf(-change - balance, 0n);
  // What was paid is a fact, whatever the wallet has; what is to be paid is not.
  const moved = paid === null ? { amount: change + missing } : { amount: change, outstanding: missing };
  const isChanged = await changeWallet(transaction, { userId, slug, ...moved }, at);
  // A payment is of something: dust in another coin may have counted as nothing.
  const amount = paid ?? maxOf((quoted * (held - missing)) / held, 1n);
  const isOpen = paid !== null || isOtherCoin || amount !== quoted;
  const isUndecided = paid === null && row.approvedBy === txId;
  await transaction
    .updateTable("withdrawals")
    .set({
      paid_slug: isOpen ? (row.paidSlug ?? slug) : null,
      paid_amount: isOpen ? amount : null,
      quoted_amount: isOtherCoin && amount !== quoted ? quoted : null,
      // An account that was deleted gets nothing.
      ...(isChanged && { corrected: corrected + moved.amount }),
      ...(isUndecided && { state: "review" as const, approved_by_tx: null }),
    })
    .where("id", "=", withdrawalId)
    .execute();
  return { amount, missing: { slug, amount: missing }, isUndecided };
};

/** Takes back what corrections have put into the wallet of a withdrawal whose whole sum has just gone back there. */
export async function endCorrection(transaction: Transaction<Schema>, withdrawalId: bigint, at: Date): Promise<void> {
  const { corrected, ...wallet } = await transaction
    .selectFrom("withdrawals")
    .select(["user_id as userId", "slug", "corrected"])
    .where("id", "=", withdrawalId)
    .executeTakeFirstOrThrow();
  if (!(await changeWallet(transaction, { ...wallet, amount: -corrected }, at))) return;
  await transaction.updateTable("withdrawals").set({ corrected: 0n }).where("id", "=", withdrawalId).execute();
}

/** False where nothing is to change, or the account was deleted. */
async function changeWallet(
  transaction: Transaction<Schema>,
  { userId, slug, amount, outstanding = 0n }: { userId: bigint; slug: string; amount: bigint; outstanding?: bigint },
  at: Date,
): Promise<boolean> {
  if (amount === 0n) return false;
  const credit = { userId, source: "ADJUSTMENT", slug, amount, outstanding, review: null, order: null } as const;
  const isStored = (await addCredits(transaction, [credit], at)).length > 0;
  if (amount > 0n) await takeOutstanding(transaction, { userId, slug }, at);
  return isStored;
}
