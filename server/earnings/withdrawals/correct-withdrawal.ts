import { minOf } from "#contract/money.ts";
import { OperatorError } from "../../admin/index.ts";
import { lockAccounts, lockWallet } from "../../treasury/index.ts";
import type { CorrectWithdrawal } from "../../treasury/port.ts";
import { addCredits } from "../wallet.ts";

/**
 * Makes a withdrawal say what it has paid, by a payment that was made before its sum was decided anew: what it paid less goes back to the
 * wallet, and what it paid more is taken from it, as far as it is there. Another coin counts at the price of this withdrawal.
 */
export const correctWithdrawal: CorrectWithdrawal = async (transaction, { withdrawalId, txId, amount: paid, at }) => {
  const row = await transaction
    .selectFrom("withdrawals")
    .select(["user_id as userId", "slug", "amount", "network_fee as networkFee", "state"])
    .select(["paid_slug as paidSlug", "paid_amount as paidAmount"])
    .where("id", "=", withdrawalId)
    .forUpdate()
    .executeTakeFirst();
  if (row?.state !== "approved")
    throw new OperatorError(
      `${txId} is no payment of withdrawal ${withdrawalId}, which is ${row?.state ?? "missing"}.`,
    );
  const { userId, slug } = row;
  const held = row.amount - row.networkFee;
  const worth = row.paidAmount === null ? paid : (held * paid) / row.paidAmount;
  await lockAccounts(transaction, [slug]);
  const balance = (await lockWallet(transaction, userId, slug)) ?? 0n;
  const missing = minOf(worth - held, balance);
  const paidAs = { paid_slug: row.paidSlug ?? slug, paid_amount: paid };
  await transaction.updateTable("withdrawals").set(paidAs).where("id", "=", withdrawalId).execute();
  if (missing === 0n) return;
  const credit = { userId, source: "ADJUSTMENT", slug, amount: -missing, review: null, order: null } as const;
  await addCredits(transaction, [credit], at);
};
