import { sql, type Kysely, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import {
  holdEntries,
  openingEntries,
  releaseEntries,
  reversedEntries,
  settledInEntries,
  settleEntries,
  unsentEntries,
  walletOf,
} from "./entries.ts";
import { unreadReason } from "../balances/chain-check.ts";
import type { LedgerAccount, LedgerEntry, LedgerTransfer } from "../port.ts";
import type { Clock } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { NetworkWallet } from "../../chains/port.ts";

const ACCOUNTS: readonly LedgerAccount[] = [
  "hot",
  "deposits",
  "customers",
  "held",
  "treasury",
  "revenue",
  "partners",
  "losses",
  "suspense",
];
const MAY_BE_NEGATIVE = new Set(["hot", "deposits", "treasury", "partners", "losses"]);

/**
 * Posts a transfer once: the same kind and source again changes nothing. The database refuses one that does not sum to
 * zero per asset, and a customers' or revenue account below zero (engine law 10).
 */
export const post = (transaction: Transaction<Schema>, transfer: LedgerTransfer): Promise<void> =>
  postAtOnce(transaction, [transfer]);

/** PostgreSQL takes 65,535 parameters in a statement. */
const TRANSFERS_AT_ONCE = 1_000;

/** Posts many transfers as `post` does, with a few statements: whoever else needs their accounts waits until the transaction ends. */
export async function postAll(transaction: Transaction<Schema>, transfers: readonly LedgerTransfer[]): Promise<void> {
  // Several statements lock the accounts in several turns.
  if (transfers.length > TRANSFERS_AT_ONCE) await lockAccounts(transaction, slugsOf(transfers));
  for (let from = 0; from < transfers.length; from += TRANSFERS_AT_ONCE)
    await postAtOnce(transaction, transfers.slice(from, from + TRANSFERS_AT_ONCE));
}

async function postAtOnce(transaction: Transaction<Schema>, transfers: readonly LedgerTransfer[]): Promise<void> {
  const inserted = await transaction
    .insertInto("ledger_transfers")
    .values(transfers.map(({ kind, sourceId, at }) => ({ kind, source_id: sourceId, at })))
    .onConflict((conflict) => conflict.columns(["kind", "source_id"]).doNothing())
    .returning(["id", "kind", "source_id"])
    .execute();
  const ids = new Map(inserted.map(({ id, kind, source_id }) => [`${kind} ${source_id}`, id]));
  const posted = transfers.flatMap(({ kind, sourceId, entries }) => {
    const id = ids.get(`${kind} ${sourceId}`);
    // Whatever of the same kind and source follows is the same transfer.
    ids.delete(`${kind} ${sourceId}`);
    return id === undefined ? [] : sumByAccount(entries).map((entry) => ({ ...entry, transferId: id }));
  });
  if (posted.length === 0) return;
  let known = await accountsOf(transaction, posted);
  const areAllOpen = posted.every(({ account, slug }) => known.has(`${account} ${slug}`) || userOf(account) !== null);
  if (!areAllOpen) {
    await openOwnAccounts(transaction, slugsOf(transfers));
    known = await accountsOf(transaction, posted);
  }
  const rows = [];
  for (const { account, slug, amount, transferId } of posted) {
    const key = `${account} ${slug}`;
    const id = known.get(key) ?? (await openAccount(transaction, account, slug));
    known.set(key, id);
    rows.push({ transfer_id: transferId, account_id: id, amount });
  }
  // One order of locks for all, so that two transfers never wait for each other.
  rows.sort((one, other) => (one.account_id < other.account_id ? -1 : 1));
  await transaction.insertInto("ledger_entries").values(rows).execute();
}

/**
 * Locks every account of our own of some assets, in the one order that all keep, before a transaction posts several transfers: one that
 * exchanges A for B and one that exchanges B for A would otherwise wait for each other.
 */
export async function lockAccounts(transaction: Transaction<Schema>, slugs: readonly string[]): Promise<void> {
  const asked = [...new Set(slugs)];
  const lock = () =>
    sql`
      select id from ledger_accounts where slug = any(${asked}::text[]) and user_id is null
      order by id for no key update`.execute(transaction);
  const { rows } = await lock();
  if (rows.length === asked.length * ACCOUNTS.length) return;
  await openOwnAccounts(transaction, asked);
  await lock();
}

/** In one order too: whoever opens an account makes others wait for it. */
async function openOwnAccounts(transaction: Transaction<Schema>, slugs: readonly string[]): Promise<void> {
  await sql`
    insert into ledger_accounts (name, slug, may_be_negative)
    select name, slug, name = any(${[...MAY_BE_NEGATIVE]}::text[])
    from unnest(${[...ACCOUNTS]}::text[]) as names (name) cross join unnest(${[...slugs]}::text[]) as slugs (slug)
    order by slug, name on conflict (name, slug) do nothing`.execute(transaction);
}

const slugsOf = (transfers: readonly LedgerTransfer[]): string[] => [
  ...new Set(transfers.flatMap(({ entries }) => entries.map(({ slug }) => slug))),
];

/** What a transfer moved, or null where there is none of that kind and source. */
async function entriesOf(
  transaction: Transaction<Schema>,
  { kind, sourceId }: Pick<LedgerTransfer, "kind" | "sourceId">,
): Promise<LedgerEntry[] | null> {
  const rows = await transaction
    .selectFrom("ledger_transfers as transfer")
    .leftJoin("ledger_entries as entry", "entry.transfer_id", "transfer.id")
    .leftJoin("ledger_accounts as account", "account.id", "entry.account_id")
    .select(["account.name", "account.slug", "entry.amount"])
    .where("transfer.kind", "=", kind)
    .where("transfer.source_id", "=", sourceId)
    .execute();
  if (rows.length === 0) return null;
  return rows.flatMap(({ name, slug, amount }) =>
    // Only post() creates accounts.
    name === null || slug === null || amount === null ? [] : [{ account: name as LedgerAccount, slug, amount }],
  );
}

/** What a correction of a transfer is called, by the payment that showed it. */
export const correctionOf = ({ kind, sourceId }: Pick<LedgerTransfer, "kind" | "sourceId">, txId: string) => ({
  kind: CORRECTION,
  sourceId: `${kind} ${sourceId} ${txId}`,
});
const CORRECTION = "correction";

/** The transfer that reverses another with its corrections, by the opposite entries, once. Throws where there is nothing to reverse. */
export async function reversalOf(
  transaction: Transaction<Schema>,
  { kind, sourceId, at }: Omit<LedgerTransfer, "entries">,
): Promise<LedgerTransfer> {
  const entries = await entriesOf(transaction, { kind, sourceId });
  if (entries === null) throw new Error(`there is no ${kind} of ${sourceId} to reverse`);
  const { rows: corrections } = await sql<{ sourceId: string }>`
    select source_id as "sourceId" from ledger_transfers
    where kind = ${CORRECTION} and starts_with(source_id, ${`${kind} ${sourceId} `})`.execute(transaction);
  for (const correction of corrections)
    entries.push(...((await entriesOf(transaction, { kind: CORRECTION, ...correction })) ?? []));
  return { kind: "reversal", sourceId: `${kind} ${sourceId}`, at, entries: reversedEntries(entries) };
}

type Hold = { sourceId: string; account: LedgerAccount; slug: string; amount: bigint; at: Date };

/** Sets a sum aside, once for a source; the database refuses more than the account has (engine law 10). */
export async function placeHold(transaction: Transaction<Schema>, hold: Hold): Promise<void> {
  const { sourceId, account, slug, amount, at } = hold;
  if (amount <= 0n) throw new RangeError("a hold needs a positive amount");
  await post(transaction, { kind: "hold", sourceId, at, entries: holdEntries(slug, amount, account) });
}

/** How a hold ends: what was set aside has left less a fee, maybe as another coin, or nobody got it, or an account has it back. */
type HoldEnd =
  | { kind: "settled"; fee: bigint; paid?: { slug: string; amount: bigint } | null }
  | { kind: "unsent" }
  | { kind: "released"; to?: LedgerAccount };

/**
 * Ends a hold, once. The same end again changes nothing, and another one throws: all are one kind of transfer, so that only one of them
 * can be written.
 */
export async function endHold(
  transaction: Transaction<Schema>,
  sourceId: string,
  end: HoldEnd,
  at: Date,
): Promise<void> {
  const held = await entriesOf(transaction, { kind: "hold", sourceId });
  const from = held?.find((entry) => entry.amount < 0n);
  if (from === undefined) throw new Error(`there is no hold of ${sourceId}`);
  const entries = endEntries(from.slug, -from.amount, end, from.account);
  await post(transaction, { kind: "hold_end", sourceId, at, entries });
  // Read back, because another process may have written the other end at the same time.
  const written = await entriesOf(transaction, { kind: "hold_end", sourceId });
  // What is written has one entry of an account.
  if (creditsOf(written ?? []) !== creditsOf(sumByAccount(entries)))
    throw new Error(`the hold of ${sourceId} has ended otherwise`);
}

function endEntries(slug: string, amount: bigint, end: HoldEnd, heldOf: LedgerAccount): LedgerEntry[] {
  if (end.kind === "settled")
    return end.paid ? settledInEntries(slug, { amount, fee: end.fee }, end.paid) : settleEntries(slug, amount, end.fee);
  return end.kind === "unsent" ? unsentEntries(slug, amount) : releaseEntries(slug, amount, end.to ?? heldOf);
}

/** Takes back, once, that a hold was settled, and gives `to` what was set aside. Throws where it was not. */
export async function returnSettled(
  transaction: Transaction<Schema>,
  sourceId: string,
  to: LedgerAccount,
  at: Date,
): Promise<void> {
  const [held, settled] = [
    await entriesOf(transaction, { kind: "hold", sourceId }),
    await entriesOf(transaction, { kind: "hold_end", sourceId }),
  ];
  const from = held?.find((entry) => entry.amount < 0n);
  if (from === undefined || settled === null) throw new Error(`the hold of ${sourceId} was not settled`);
  const entries = [...reversedEntries(settled), ...releaseEntries(from.slug, -from.amount, to)];
  await post(transaction, { kind: "hold_return", sourceId, at, entries });
}

/** Who gets how much. */
const creditsOf = (entries: readonly LedgerEntry[]): string =>
  entries
    .flatMap(({ account, amount }) => (amount > 0n ? [`${account} ${amount}`] : []))
    .sort()
    .join();

/** What an account is owed of an instrument, locked until the transaction ends; null where it never was owed any. */
export async function lockWallet(
  transaction: Transaction<Schema>,
  userId: bigint,
  slug: string,
): Promise<bigint | null> {
  const row = await transaction
    .selectFrom("ledger_accounts")
    .select("balance")
    .where("name", "=", walletOf(userId))
    .where("slug", "=", slug)
    .forUpdate()
    .executeTakeFirst();
  return row?.balance ?? null;
}

function sumByAccount(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const sums = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const key = `${entry.account} ${entry.slug}`;
    sums.set(key, { ...entry, amount: entry.amount + (sums.get(key)?.amount ?? 0n) });
  }
  return [...sums.values()].filter((entry) => entry.amount !== 0n);
}

async function accountsOf(
  transaction: Transaction<Schema>,
  entries: readonly LedgerEntry[],
): Promise<Map<string, bigint>> {
  const rows = await transaction
    .selectFrom("ledger_accounts")
    .select(["id", "name", "slug"])
    .where("name", "in", [...new Set(entries.map(({ account }) => account))])
    .where("slug", "in", [...new Set(entries.map(({ slug }) => slug))])
    .execute();
  return new Map(rows.map(({ id, name, slug }) => [`${name} ${slug}`, id]));
}

/** Creates the account; another process may be doing the same. */
async function openAccount(transaction: Transaction<Schema>, name: string, slug: string): Promise<bigint> {
  await transaction
    .insertInto("ledger_accounts")
    .values({ name, slug, may_be_negative: MAY_BE_NEGATIVE.has(name), user_id: userOf(name) })
    .onConflict((conflict) => conflict.columns(["name", "slug"]).doNothing())
    .execute();
  const made = await transaction
    .selectFrom("ledger_accounts")
    .select("id")
    .where("name", "=", name)
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow();
  return made.id;
}

const userOf = (name: string): bigint | null => {
  const [, userId] = /^wallet:(\d+)$/.exec(name) ?? [];
  return userId === undefined ? null : BigInt(userId);
};

/**
 * Books the opening balance of the hot wallet, once for each instrument: at the first start that sees it. Throws while the rows don't know
 * what the chain shows, as of a coin that was added after the backup that was restored.
 */
export async function openBooks(
  database: Database,
  wallet: NetworkWallet,
  slugs: Iterable<string>,
  clock: Clock,
): Promise<void> {
  for (const slug of slugs) {
    const known = await database.kysely
      .selectFrom("ledger_transfers")
      .select("id")
      .where("kind", "=", "opening")
      .where("source_id", "=", slug)
      .executeTakeFirst();
    if (known !== undefined) continue;
    await requireRead(database.kysely, wallet, slug);
    const entries = openingEntries(slug, await wallet.hotBalance(slug));
    await inTransaction(database, async (transaction) => {
      await requireRead(transaction, wallet, slug);
      await post(transaction, { kind: "opening", sourceId: slug, at: clock.now(), entries });
    });
  }
}

async function requireRead(db: Kysely<Schema>, { networkTitle }: NetworkWallet, slug: string): Promise<void> {
  const reason = await unreadReason(db, networkTitle);
  if (reason !== null) throw new Error(`the books of ${slug} are not opened from ${networkTitle} yet: ${reason}`);
}
