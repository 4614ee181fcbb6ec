import { divideUp } from "#contract/money.ts";
import type { Database } from "../../db/database.ts";
import { holdOf, isOwnAddress } from "../../treasury/index.ts";
import { isBlacklisted } from "../../blacklist/index.ts";

type PaymentToAuthorise = {
  withdrawalId: bigint | null;
  network: string;
  slug: string;
  toAddress: string;
  toMemo: string | null;
  amount: bigint;
  /** Null for one that no block has held yet. */
  minedHeight: number | null;
};

/** True when an approved withdrawal, whose sum is held, is exactly this payment: the last check before signing (engine law 14). */
export async function authoriseWithdrawal(
  database: Database,
  { withdrawalId, ...payment }: PaymentToAuthorise,
): Promise<boolean> {
  const row = await readWithdrawal(database, withdrawalId);
  // It was settled when a block held it, which was undone: it is still owed.
  const wasMined = row?.state === "settled" && payment.minedHeight !== null;
  if (row === null || (row.state !== "approved" && !wasMined)) return false;
  const hold = await database.kysely
    .selectFrom("ledger_transfers as t")
    .innerJoin("ledger_entries as e", "e.transfer_id", "t.id")
    .innerJoin("ledger_accounts as a", "a.id", "e.account_id")
    .select("e.amount")
    .where("t.kind", "=", "hold")
    .where("t.source_id", "=", holdOf(row.id))
    .where("a.name", "=", "held")
    .where("a.slug", "=", row.slug)
    .executeTakeFirst();
  const ended = await database.kysely
    .selectFrom("ledger_transfers")
    .select("id")
    .where("kind", "=", "hold_end")
    .where("source_id", "=", holdOf(row.id))
    .executeTakeFirst();
  return (
    hold?.amount === row.amount &&
    (ended !== undefined) === wasMined &&
    payment.network === row.network &&
    payment.slug === (row.paid_slug ?? row.slug) &&
    payment.toAddress === row.address &&
    payment.toMemo === null &&
    payment.amount === (row.paid_amount ?? row.amount - row.network_fee) &&
    // It may have become one of ours, or been listed, since.
    !(await isOwnAddress(database, row.network, row.address)) &&
    !(await isBlacklisted(database.kysely, [row.address]))
  );
}

/** The network fee that was taken from a withdrawal, in the minor units of what is paid; null for another payment. */
export async function chargedWithdrawalFee(
  database: Database,
  { withdrawalId }: Pick<PaymentToAuthorise, "withdrawalId">,
): Promise<bigint | null> {
  const row = await readWithdrawal(database, withdrawalId);
  if (row === null) return null;
  const { amount, network_fee: fee, slug, paid_slug: paidSlug } = row;
  // It may pay less than it was decided to, after a payment was unbooked; the fee was taken from the whole.
  const paid = paidSlug === slug ? null : (row.quoted_amount ?? row.paid_amount);
  return paid === null ? fee : divideUp(fee * paid, amount - fee);
}

async function readWithdrawal({ kysely }: Database, id: bigint | null) {
  if (id === null) return null;
  return (await kysely.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}
