import { minOf } from "#contract/money.ts";
import { OperatorError } from "../../admin/index.ts";
import { lockAccounts, lockWallet } from "../../treasury/index.ts";
import type { CorrectWithdrawal } from "../../treasury/port.ts";
import { addCredits } from "../wallet.ts";

/**
 * Makes a withdrawal say what it has paid, by a payment that was made before its sum was decided anew: what it paid less goes back to the
 * wallet, and what it paid more is taken from it, as far as it is there. Another coin counts at the price of this withdrawal. Each time the sum of
 * all that was given and taken becomes the difference to what it is to pay by its own row, so that nothing is left of a payment that was unbooked.
 */
export const correctWithdrawal: CorrectWithdrawal = async (transaction, { withdrawalId, txId, amount: paid, at }) => {
  const row = await transaction
    .selectFrom("withdrawals")
    .select(["user_id as userId", "slug", "amount", "network_fee as networkFee", "state"])
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
  const amount = paid ?? quoted;
  await lockAccounts(transaction, [slug]);
  const balance = (await lockWallet(transaction, userId, slug)) ?? 0n;
  const change = held - (held * amount) / quoted - corrected;
  const taken = minOf(-change, balance);
  const credit = { userId, source: "ADJUSTMENT", slug, amount: -taken, review: null, order: null } as const;
  const credited = taken === 0n ? [] : await addCredits(transaction, [credit], at);
  const isOpen = paid !== null || isOtherCoin;
  await transaction
    .updateTable("withdrawals")
    .set({
      paid_slug: isOpen ? (row.paidSlug ?? slug) : null,
      paid_amount: isOpen ? amount : null,
      quoted_amount: isOtherCoin && paid !== null ? quoted : null,
      // An account that was deleted gets nothing.
      ...(credited.length > 0 && { corrected: corrected - taken }),
    })
    .where("id", "=", withdrawalId)
    .execute();
  return { amount, missing: { slug, amount: -change - taken } };
};
