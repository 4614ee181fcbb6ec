import { sql, type Kysely, type RawBuilder, type Transaction } from "kysely";
import { maxOf, minOf } from "#contract/money.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction, type TransactionProbe } from "../db/transaction.ts";
import { creditEntries, walletOf } from "../treasury/ledger/entries.ts";
import { lockAccounts, lockWallet, post } from "../treasury/index.ts";

type Wallet = { userId: bigint; slug: string };

const AT_ONCE = 100;

/** What an account's debits have still to take from its wallet. */
export const outstandingOf = (userId: bigint | RawBuilder<bigint>, slug: RawBuilder<string>): RawBuilder<bigint> =>
  sql<bigint>`coalesce((select sum(outstanding) from wallet_credits
    where user_id = ${userId} and slug = ${slug} and outstanding > 0), 0)`;

/** Whether an account has still to give back anything of what it was paid: it is not deleted before that is taken, or an operator gives it as much. */
export async function hasOutstanding(db: Kysely<Schema>, userId: bigint): Promise<boolean> {
  const debits = db.selectFrom("wallet_credits").select("id").where("user_id", "=", userId);
  return (await debits.where("outstanding", ">", 0n).limit(1).executeTakeFirst()) !== undefined;
}

/** What an account can withdraw: what is in its wallet, less what is still to be taken from it. */
export async function availableBalance(db: Kysely<Schema>, { userId, slug }: Wallet): Promise<bigint> {
  const wallet = await db
    .selectFrom("ledger_accounts")
    .select(["balance", outstandingOf(userId, sql`${slug}::text`).as("outstanding")])
    .where("name", "=", walletOf(userId))
    .where("slug", "=", slug)
    .executeTakeFirst();
  return wallet === undefined ? 0n : maxOf(wallet.balance - wallet.outstanding, 0n);
}

/**
 * Takes what an account's debits have still to take, as far as it is in the wallet, the oldest first; returns what remains there, or null where there
 * is no wallet. The accounts of the instrument are locked by the caller.
 */
export async function takeOutstanding(
  transaction: Transaction<Schema>,
  { userId, slug }: Wallet,
  at: Date,
): Promise<bigint | null> {
  const balance = await lockWallet(transaction, userId, slug);
  if (balance === null || balance === 0n) return balance;
  const debits = await transaction
    .selectFrom("wallet_credits")
    .select(["id", "outstanding", "version"])
    .where("user_id", "=", userId)
    .where("slug", "=", slug)
    .where("outstanding", ">", 0n)
    .orderBy("id")
    .forUpdate()
    .execute();
  let left = balance;
  for (const { id, outstanding, version } of debits) {
    const taken = minOf(outstanding, left);
    if (taken === 0n) break;
    left -= taken;
    const entries = creditEntries(slug, -taken, userId);
    await post(transaction, { kind: "wallet_debit", sourceId: `${id} ${version}`, at, entries });
    const rest = { outstanding: outstanding - taken, version: version + 1 };
    await transaction.updateTable("wallet_credits").set(rest).where("id", "=", id).execute();
  }
  return left;
}

/** The same for every account that was credited something since. */
export async function takeAllOutstanding(parts: {
  database: Database;
  clock: Clock;
  probe?: TransactionProbe;
}): Promise<void> {
  const { rows } = await sql<Wallet>`
    select distinct c.user_id as "userId", c.slug from wallet_credits c
    join ledger_accounts a on a.user_id = c.user_id and a.slug = c.slug
    where c.outstanding > 0 and a.balance > 0 order by 1, 2 limit ${AT_ONCE}`.execute(parts.database.kysely);
  for (const wallet of rows)
    await inTransaction(
      parts.database,
      async (transaction) => {
        await lockAccounts(transaction, [wallet.slug]);
        await takeOutstanding(transaction, wallet, parts.clock.now());
      },
      parts.probe,
    );
}
