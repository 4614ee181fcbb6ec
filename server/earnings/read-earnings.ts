import { sql } from "kysely";
import type { AffiliateBalance, Credit, WalletBalance, WalletWithdrawal } from "#contract/accounts/earnings.ts";
import { formatAmount, minOf } from "#contract/money.ts";
import { requireInstrument, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import type { Page, Paged } from "./port.ts";
import { outstandingOf } from "./outstanding.ts";
import { statusOf } from "./decisions/withdrawal-status.ts";

export type ReadParts = { database: Pick<Database, "kysely">; catalogue: Pick<Catalogue, "instruments" | "terms"> };

type Sums = { slug: string; balance: bigint; held: bigint; accrued: bigint; withdrawn: bigint };

/** One row for what earnings are counted in, and one for each other instrument that the account was ever owed. */
async function readSums({ database, catalogue }: ReadParts, userId: bigint): Promise<(Sums & CatalogueInstrument)[]> {
  const { rows } = await sql<Sums>`
    select s.slug, greatest(coalesce(a.balance, 0) - ${outstandingOf(userId, sql`s.slug`)}, 0) as balance,
      coalesce((select sum(amount) from withdrawals
        where user_id = ${userId} and slug = s.slug and state in ('review', 'approved')), 0) as held,
      coalesce((select sum(amount) from withdrawals
        where user_id = ${userId} and slug = s.slug and state = 'settled'), 0) as withdrawn,
      coalesce((select sum(amount) from wallet_credits
        where user_id = ${userId} and slug = s.slug and state = 'completed' and source <> 'ADJUSTMENT'), 0) as accrued
    from (select ${catalogue.terms.earningsSlug}::text as slug
      union select slug from ledger_accounts where user_id = ${userId}) s
    left join ledger_accounts a on a.slug = s.slug and a.user_id = ${userId}
    order by s.slug <> ${catalogue.terms.earningsSlug}, s.slug`.execute(database.kysely);
  return rows.flatMap((row) => {
    const instrument = catalogue.instruments.get(row.slug);
    return instrument === undefined ? [] : [{ ...instrument, ...row }];
  });
}

export async function readWalletBalances(parts: ReadParts, userId: bigint): Promise<WalletBalance[]> {
  const sums = await readSums(parts, userId);
  return sums.map((one) => ({
    ...titlesOf(one),
    balance: formatAmount(one.balance, one.decimals),
    held: formatAmount(one.held, one.decimals),
  }));
}

/** What was earned leaves the wallet before what an operator gave. */
export async function readAffiliateBalances(parts: ReadParts, userId: bigint): Promise<AffiliateBalance[]> {
  const sums = await readSums(parts, userId);
  return sums.map((one) => {
    const withdrawn = minOf(one.withdrawn, one.accrued);
    const held = minOf(one.held, one.accrued - withdrawn);
    const text = (amount: bigint) => formatAmount(amount, one.decimals);
    return {
      ...titlesOf(one),
      balance: text(minOf(one.balance, one.accrued - withdrawn - held)),
      held: text(held),
      accruedTotal: text(one.accrued),
      withdrawnTotal: text(withdrawn),
    };
  });
}

const titlesOf = ({ currencyTitle, networkTitle }: CatalogueInstrument) => ({ currencyTitle, networkTitle });

const CREDIT_STATUS = {
  completed: "COMPLETED",
  review: "REVIEW",
  rejected: "REJECTED",
  reversed: "REVERSED",
} as const satisfies Record<Schema["wallet_credits"]["state"], Credit["status"]>;

/** Of one source, or of every one; newest first. The wallet lists what has been in it. */
export async function readCredits(
  { database: { kysely }, catalogue }: ReadParts,
  userId: bigint,
  source: "AFFILIATE" | "CASHBACK" | null,
  { offset, limit }: Page,
): Promise<Paged<Credit>> {
  const mine = kysely.selectFrom("wallet_credits").where("user_id", "=", userId);
  const asked =
    source === null ? mine.where("state", "in", ["completed", "reversed"]) : mine.where("source", "=", source);
  const rows = await asked.selectAll().orderBy("id", "desc").offset(offset).limit(limit).execute();
  const items = rows.map((row): Credit => {
    const instrument = requireInstrument(catalogue, row.slug);
    return {
      id: row.public_id,
      ...titlesOf(instrument),
      amount: formatAmount(row.amount, instrument.decimals),
      createdAt: row.created_at.toISOString(),
      source: row.source,
      status: CREDIT_STATUS[row.state],
      // What others exchange is theirs.
      orderReference: row.source === "AFFILIATE" ? null : row.order_reference,
      address: null,
      networkFee: null,
      txId: null,
    };
  });
  return {
    items,
    total: await countOf(asked.select(({ fn }) => fn.countAll<bigint>().as("count")).executeTakeFirst()),
  };
}

export async function readWithdrawals(
  { database: { kysely }, catalogue }: ReadParts,
  userId: bigint,
  { offset, limit }: Page,
): Promise<Paged<WalletWithdrawal>> {
  const rows = await kysely
    .selectFrom("withdrawals as w")
    .leftJoin("payouts as p", "p.withdrawal_id", "w.id")
    .select(["w.public_id", "w.slug", "w.amount", "w.created_at", "w.state", "w.address", "w.network_fee"])
    .select(["w.paid_slug", "w.paid_amount"])
    .select((is) => [
      "p.state as payment",
      is
        .selectFrom("payout_attempts as a")
        .select("a.tx_id")
        .whereRef("a.payout_id", "=", "p.id")
        .where("a.status", "in", ["broadcast", "mined"])
        .orderBy(sql`a.status = 'mined'`, "desc")
        .orderBy("a.n", "desc")
        .limit(1)
        .as("txId"),
    ])
    .where("w.user_id", "=", userId)
    .orderBy("w.id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  const items = rows.map((row): WalletWithdrawal => {
    const instrument = requireInstrument(catalogue, row.slug);
    const coin = row.paid_slug === null ? null : requireInstrument(catalogue, row.paid_slug);
    return {
      id: row.public_id,
      ...titlesOf(instrument),
      amount: formatAmount(row.amount, instrument.decimals),
      createdAt: row.created_at.toISOString(),
      source: null,
      status: statusOf(row.state, row.payment),
      orderReference: null,
      address: row.address,
      networkFee: formatAmount(row.network_fee, instrument.decimals),
      paid: coin && { ...titlesOf(coin), amount: formatAmount(row.paid_amount ?? 0n, coin.decimals) },
      txId: row.txId,
    };
  });
  const counted = kysely
    .selectFrom("withdrawals")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return { items, total: await countOf(counted) };
}

const countOf = async (row: Promise<{ count: bigint | number | string } | undefined>): Promise<number> =>
  Number((await row)?.count ?? 0);
