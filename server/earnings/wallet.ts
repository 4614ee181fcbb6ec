import { sql, type Kysely, type Transaction } from "kysely";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { creditEntries, joinEntries, takeBackEntries } from "../treasury/ledger/entries.ts";
import { lockAccounts, lockWallet, post, postAll } from "../treasury/index.ts";
import type { LedgerTransfer } from "../treasury/port.ts";

export type StoredCredit = {
  id: bigint;
  userId: bigint;
  slug: string;
  amount: bigint;
  lost: bigint;
  version: number;
  state: Schema["wallet_credits"]["state"];
};

type NewCredit = {
  userId: bigint;
  source: Schema["wallet_credits"]["source"];
  slug: string;
  amount: bigint;
  /** What isn't in the wallet of what it takes: it is taken from what the account is credited next. */
  outstanding?: bigint;
  /** Why an operator looks at it first; null: it is in the wallet at once. */
  review: string | null;
  order: { id: string; reference: string } | null;
};

/** Stores credits and posts them at once; their ids. What else the transaction posts, it posts in the same order of accounts. */
export async function addCredits(
  transaction: Transaction<Schema>,
  given: readonly NewCredit[],
  at: Date,
): Promise<bigint[]> {
  const { ids, transfers } = await storeCredits(transaction, given, at);
  await postAll(transaction, transfers);
  return ids;
}

/**
 * Stores credits, once for an order and a source; an account that was deleted gets none. The transfers are those that need no review, to be
 * posted by the caller.
 */
export async function storeCredits(
  transaction: Transaction<Schema>,
  given: readonly NewCredit[],
  at: Date,
): Promise<{ ids: bigint[]; transfers: LedgerTransfer[] }> {
  const credits = await withoutDeleted(transaction, given);
  if (credits.length === 0) return { ids: [], transfers: [] };
  const stored = await transaction
    .insertInto("wallet_credits")
    .values(
      credits.map(({ userId, source, slug, amount, outstanding, review, order }) => ({
        user_id: userId,
        source,
        slug,
        amount,
        outstanding: outstanding ?? 0n,
        state: review === null ? ("completed" as const) : ("review" as const),
        review_reason: review,
        order_id: order?.id ?? null,
        order_reference: order?.reference ?? null,
        created_at: at,
      })),
    )
    .onConflict((conflict) => conflict.columns(["order_id", "source"]).doNothing())
    .returning(["id", "user_id", "slug", "amount", "outstanding", "state"])
    .execute();
  const transfers = stored
    .filter(({ state, amount, outstanding }) => state === "completed" && amount + outstanding !== 0n)
    .map(({ id, user_id, slug, amount, outstanding }) => ({
      kind: "wallet_credit",
      sourceId: `${id}`,
      at,
      entries: creditEntries(slug, amount + outstanding, user_id),
    }));
  return { ids: stored.map(({ id }) => id), transfers };
}

/** Locked, so that a deletion waits and then finds what is owed, or is over and found. */
async function withoutDeleted(transaction: Transaction<Schema>, credits: readonly NewCredit[]): Promise<NewCredit[]> {
  if (credits.length === 0) return [];
  const ids = [...new Set(credits.map(({ userId }) => userId))];
  const rows = await transaction
    .selectFrom("users")
    .select("id")
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .forKeyShare()
    .execute();
  const existing = new Set(rows.map(({ id }) => id));
  return credits.filter(({ userId }) => existing.has(userId));
}

/** Gives an account something at once, as the sandbox does; what its wallet holds then, or null for an unknown account. */
export function creditAccount(
  database: Database,
  { userId, slug, amount, at }: { userId: bigint; slug: string; amount: bigint; at: Date },
): Promise<bigint | null> {
  return inTransaction(database, async (transaction) => {
    await lockAccounts(transaction, [slug]);
    const credit = { userId, source: "ADJUSTMENT", slug, amount, review: null, order: null } as const;
    const ids = await addCredits(transaction, [credit], at);
    return ids.length === 0 ? null : lockWallet(transaction, userId, slug);
  });
}

/** Locks a credit until the transaction ends; null for none. */
export async function lockCredit(transaction: Transaction<Schema>, id: bigint) {
  const row = await transaction
    .selectFrom("wallet_credits")
    .select(["id", "source", "user_id as userId", "slug", "amount", "lost", "version", "state", "review_reason as why"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Puts a credit that waits for review, or was reversed, into the wallet: what had been lost of it was given already. `outstanding` is what the wallet
 * has too little for of what it takes.
 */
export async function grantCredit(
  transaction: Transaction<Schema>,
  credit: StoredCredit,
  at: Date,
  outstanding = 0n,
): Promise<void> {
  const { id, userId, slug, amount, lost, version } = credit;
  await lockAccounts(transaction, [slug]);
  const entries =
    credit.state === "reversed"
      ? takeBackEntries(slug, { amount, lost }, userId).map((entry) => ({ ...entry, amount: -entry.amount }))
      : creditEntries(slug, amount + outstanding, userId);
  const sourceId = version === 1 ? `${id}` : `${id} ${version}`;
  if (amount + outstanding !== 0n) await post(transaction, { kind: "wallet_credit", sourceId, at, entries });
  await changeCredit(transaction, credit, { state: "completed", lost: 0n, outstanding, review_reason: null });
}

/** Takes a credit back whose reason is gone. No balance goes below zero: what was withdrawn already is our loss (contract §9). */
export async function takeBackCredit(
  transaction: Transaction<Schema>,
  credit: StoredCredit,
  at: Date,
): Promise<bigint> {
  const { id, userId, slug, amount, version } = credit;
  await lockAccounts(transaction, [slug]);
  const balance = (await lockWallet(transaction, userId, slug)) ?? 0n;
  const lost = balance < amount ? amount - balance : 0n;
  const entries = takeBackEntries(slug, { amount, lost }, userId);
  await post(transaction, { kind: "wallet_reversal", sourceId: `${id} ${version}`, at, entries });
  await changeCredit(transaction, credit, { state: "reversed", lost });
  return lost;
}

export async function changeCredit(
  transaction: Transaction<Schema>,
  { id, version }: StoredCredit,
  change: { state: StoredCredit["state"]; lost?: bigint; outstanding?: bigint; review_reason?: null },
): Promise<void> {
  await transaction
    .updateTable("wallet_credits")
    .set({ ...change, version: version + 1 })
    .where("id", "=", id)
    .execute();
}

/** What an account has earned, and its referral ids, become those of another account, which it is joined with (contract §8). */
export async function joinEarnings(
  transaction: Transaction<Schema>,
  { from, to, at }: { from: bigint; to: bigint; at: Date },
): Promise<void> {
  const wallets = await transaction.selectFrom("ledger_accounts").select("slug").where("user_id", "=", from).execute();
  const slugs = wallets.map(({ slug }) => slug);
  if (slugs.length > 0) await lockAccounts(transaction, slugs);
  for (const slug of slugs) {
    const amount = (await lockWallet(transaction, from, slug)) ?? 0n;
    const entries = joinEntries(slug, amount, from, to);
    if (amount > 0n) await post(transaction, { kind: "wallet_join", sourceId: `${from} ${slug}`, at, entries });
  }
  for (const table of ["wallet_credits", "withdrawals", "referrer_ids"] as const)
    await transaction.updateTable(table).set({ user_id: to }).where("user_id", "=", from).execute();
  await transaction
    .updateTable("users")
    .set({ referrer_user_id: to })
    .where("referrer_user_id", "=", from)
    .where("id", "<>", to)
    .execute();
  await sql`
    insert into referral_clicks (user_id, day, clicks) select ${to}, day, clicks from referral_clicks where user_id = ${from}
    on conflict (user_id, day) do update set clicks = referral_clicks.clicks + excluded.clicks`.execute(transaction);
  await transaction.deleteFrom("referral_clicks").where("user_id", "=", from).execute();
}

/** Whether an account is owed anything, held sums and what waits for review included: such an account is not deleted (contract §8). */
export async function hasUnpaidEarnings(db: Kysely<Schema>, userId: bigint): Promise<boolean> {
  const { rows } = await sql<{ owed: boolean }>`
    select exists (select from ledger_accounts where user_id = ${userId} and balance > 0)
      or exists (select from withdrawals where user_id = ${userId} and state in ('review', 'approved'))
      or exists (select from wallet_credits where user_id = ${userId} and state = 'review') as owed`.execute(db);
  return rows[0]?.owed === true;
}

/** Whether a reorganisation may still undo the payment of one of its withdrawals, which would then be paid again or decided anew. */
export async function hasUnsettledWithdrawal(db: Kysely<Schema>, userId: bigint): Promise<boolean> {
  const { rows } = await sql`
    select from withdrawals w join payouts p on p.withdrawal_id = w.id
    where w.user_id = ${userId} and p.state not in ('final', 'returned') limit 1`.execute(db);
  return rows.length > 0;
}
