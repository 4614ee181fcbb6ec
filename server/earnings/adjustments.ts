import type { Transaction } from "kysely";
import { formatAmount, maxOf, parseAmount } from "#contract/money.ts";
import { requireInstrument, type Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction, transactionTime } from "../db/transaction.ts";
import { lockAccounts } from "../treasury/index.ts";
import { type Operator, OperatorError, recordAction } from "../admin/index.ts";
import { takeOutstanding } from "./outstanding.ts";
import { addCredits, type StoredCredit } from "./wallet.ts";

export const ADJUST_HELP = `npm run admin -- adjust <userId> <amount> REASON --as NAME [--from-credits]
    (then: accrual approve, as another name; -5 takes 5 away, with --from-credits what the wallet lacks of it from what it is credited next)`;

/** No longer than what a row's number may be. */
export const ID = /^\d{1,18}$/;
/** An adjustment that another operator is to approve; the second also takes what the wallet has too little for, from what it is credited next. */
const PROPOSED = "proposed";
const PROPOSED_FROM_CREDITS = "proposed_from_credits";

export type Parts = { database: Database; catalogue: Pick<Catalogue, "instruments" | "terms"> };

export const textOf = (catalogue: Parts["catalogue"], slug: string, amount: bigint): string =>
  `${formatAmount(amount, requireInstrument(catalogue, slug).decimals)} ${slug}`;

/**
 * What a wallet has too little for of what is taken. Nothing is taken that it doesn't have; the check is the ledger's own, this one says so in words.
 * Throws `OperatorError` unless it may wait for what the account is credited next.
 */
export async function requireBalance(
  transaction: Transaction<Schema>,
  { userId, slug, amount }: Pick<StoredCredit, "userId" | "slug" | "amount">,
  why: string | null,
): Promise<bigint> {
  if (amount >= 0n) return 0n;
  await lockAccounts(transaction, [slug]);
  const balance = (await takeOutstanding(transaction, { userId, slug }, await transactionTime(transaction))) ?? 0n;
  const lacking = maxOf(-amount - balance, 0n);
  if (lacking > 0n && why !== PROPOSED_FROM_CREDITS)
    throw new OperatorError(
      `The wallet of user ${userId} has too little for it. With --from-credits "adjust" also takes what it lacks, from what the account is credited next.`,
    );
  return lacking;
}

export const lackingText = (catalogue: Parts["catalogue"], slug: string, lacking: bigint): string =>
  `; ${textOf(catalogue, slug, lacking)} of it are not in its wallet: they are taken from what the account is credited next`;

/** What an operator gives an account, or takes from it: it is in the wallet, or out of it, once another operator agrees. */
export async function proposeAdjustment(
  { database, catalogue }: Parts,
  [userId = "", text = ""]: readonly string[],
  operator: Operator,
  isFromCredits: boolean,
): Promise<string> {
  const why = isFromCredits ? PROPOSED_FROM_CREDITS : PROPOSED;
  const { slug, decimals } = requireInstrument(catalogue, catalogue.terms.earningsSlug);
  const sum: bigint | null = parseAmount(text.replace(/^-/, ""), decimals);
  const amount = sum !== null && text.startsWith("-") ? -sum : sum;
  if (!ID.test(userId)) throw new OperatorError(`"${userId}" is no account.\n${ADJUST_HELP}`);
  if (amount === null || amount === 0n)
    throw new OperatorError(`"${text}" is no amount: not 0, with at most ${decimals} decimals.\n${ADJUST_HELP}`);
  return inTransaction(database, async (transaction) => {
    const registeredAt = await requireAccount(transaction, BigInt(userId));
    const credit = {
      userId: BigInt(userId),
      source: "ADJUSTMENT",
      slug,
      amount,
      review: why,
      order: null,
    } as const;
    const lacking = await requireBalance(transaction, credit, why);
    const [id] = await addCredits(transaction, [credit], await transactionTime(transaction));
    if (id === undefined) throw new Error("an adjustment was not stored");
    const after = { userId, slug, amount };
    await recordAction(transaction, operator, { action: "adjust", subject: `accrual ${id}`, before: {}, after });
    const lack = lacking === 0n ? "" : lackingText(catalogue, slug, lacking);
    return `accrual ${id} is proposed for user ${userId}, registered ${registeredAt.toISOString()}${lack}; another operator approves it: npm run admin -- accrual approve ${id} REASON --as ANOTHER`;
  });
}

/**
 * When an account was registered: numbers are given anew after a restore. Throws `OperatorError` where there is none, which is no reason to wait for
 * one.
 */
async function requireAccount(transaction: Transaction<Schema>, id: bigint): Promise<Date> {
  const user = transaction.selectFrom("users").select("created_at as at").where("id", "=", id);
  const found = await user.where("deleted_at", "is", null).executeTakeFirst();
  if (found !== undefined) return found.at;
  const restored = transaction.selectFrom("followed_networks").select("network").where("restored_at", "is not", null);
  const isRestored = (await restored.limit(1).executeTakeFirst()) !== undefined;
  throw new OperatorError(
    `There is no account ${id}.${isRestored ? " One that was registered after the backup has no wallet, so nothing is to be taken back: dismiss its payment with --adjusted. Once its person has registered again, adjust that account." : ""}`,
  );
}
