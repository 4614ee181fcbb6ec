import { sql, type Transaction } from "kysely";
import { formatAmount, maxOf, parseAmount } from "#contract/money.ts";
import { requireInstrument, type Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction, transactionTime } from "../db/transaction.ts";
import { enqueueAccountMessage } from "../notifications/index.ts";
import { lockAccounts } from "../treasury/index.ts";
import { type Operator, OperatorError, readOperator, readOptions, recordAction } from "../admin/index.ts";
import { takeOutstanding } from "./outstanding.ts";
import { changeWithdrawal } from "./withdrawals/change-withdrawal.ts";
import { notifyWithdrawal } from "./withdrawals/notify-withdrawal.ts";
import { addCredits, changeCredit, grantCredit, lockCredit, type StoredCredit } from "./wallet.ts";

export const EARNINGS_HELP = `npm run admin -- withdrawal list
npm run admin -- withdrawal open <id>
npm run admin -- withdrawal approve <id> REASON --as NAME [--transaction <transaction>]
npm run admin -- withdrawal reject <id> REASON --as NAME
npm run admin -- accrual list
npm run admin -- accrual open <id>
npm run admin -- accrual approve <id> REASON --as NAME
npm run admin -- accrual reject <id> REASON --as NAME
npm run admin -- adjust <userId> <amount> REASON --as NAME [--from-credits]
    (then: accrual approve, as another name; -5 takes 5 away, with --from-credits what the wallet lacks of it from what it is credited next)`;

/** No longer than what a row's number may be. */
const ID = /^\d{1,18}$/;
const AMOUNTS: ReadonlySet<string> = new Set(["amount", "network_fee", "lost", "outstanding"]);
/** An adjustment that another operator is to approve; the second also takes what the wallet has too little for, from what it is credited next. */
const PROPOSED = "proposed";
const PROPOSED_FROM_CREDITS = "proposed_from_credits";

type Parts = { database: Database; catalogue: Pick<Catalogue, "instruments" | "terms"> };

/** Runs a command on withdrawals and credits, and returns its output. Null for any other command. Throws `OperatorError`. */
export async function runEarningsCommand(parts: Parts, given: readonly string[]): Promise<string | null> {
  const [area, ...rest] = given;
  if (area !== "withdrawal" && area !== "accrual" && area !== "adjust") return null;
  if (area === "adjust") {
    // A negative amount would be taken for an option.
    const { words, options } = readOptions(rest.slice(2), ["as", "from-credits"]);
    const why = options["from-credits"] === true ? PROPOSED_FROM_CREDITS : PROPOSED;
    return proposeAdjustment(parts, rest, readOperator(options, words), why);
  }
  const isApproval = area === "withdrawal" && rest[0] === "approve";
  const { words, options } = readOptions(rest, isApproval ? ["as", "transaction"] : ["as"]);
  const [action = "", id = ""] = words;
  if (action === "list") return area === "withdrawal" ? listWithdrawals(parts) : listCredits(parts);
  if (!["open", "approve", "reject"].includes(action)) throw new OperatorError(EARNINGS_HELP);
  if (!ID.test(id)) throw new OperatorError(`"${id}" is no ${area}.\n${EARNINGS_HELP}`);
  if (action === "open") return openOne(parts, area, BigInt(id));
  const operator = readOperator(options, words.slice(2));
  const end = action === "approve" ? "approve" : "reject";
  const paidBy = options.transaction ?? null;
  const lacking =
    area === "withdrawal"
      ? await decideWithdrawal(parts, operator, BigInt(id), { end, paidBy })
      : await decideCredit(parts, operator, BigInt(id), end);
  return `${area} ${id}: ${end === "approve" ? "approved" : "rejected"}${lacking}`;
}

async function listWithdrawals({ database, catalogue }: Parts): Promise<string> {
  const { rows } = await sql<{
    id: bigint;
    user_id: bigint;
    slug: string;
    amount: bigint;
    address: string;
    why: string;
  }>`
    select w.id, w.user_id, w.slug, w.amount, w.address, w.review_reason as why from withdrawals w where w.state = 'review'
    union all
    select w.id, w.user_id, w.slug, w.amount, w.address, 'payment ' || p.id || ': ' || p.review_reason
    from payouts p join withdrawals w on w.id = p.withdrawal_id where p.state = 'review' order by id`.execute(
    database.kysely,
  );
  const lines = rows.map(
    ({ id, user_id, slug, amount, address, why }) =>
      `withdrawal ${id}: ${textOf(catalogue, slug, amount)} of user ${user_id} to ${address} (${why})`,
  );
  return lines.length > 0 ? lines.join("\n") : "no withdrawal waits";
}

async function listCredits({ database, catalogue }: Parts): Promise<string> {
  const rows = await database.kysely
    .selectFrom("wallet_credits as c")
    .innerJoin("users as u", "u.id", "c.user_id")
    .selectAll("c")
    // An account that was deleted is credited nothing any more.
    .where(({ or, and, eb }) =>
      or([eb("c.state", "=", "review"), and([eb("c.outstanding", ">", 0n), eb("u.deleted_at", "is", null)])]),
    )
    .orderBy("c.id")
    .execute();
  const lines = rows.map(({ id, user_id, source, slug, amount, outstanding, review_reason }) => {
    const why =
      outstanding > 0n
        ? `${textOf(catalogue, slug, outstanding)} of it are taken from what it is credited next`
        : review_reason;
    return `accrual ${id}: ${source} of ${textOf(catalogue, slug, amount)} for user ${user_id} (${why})`;
  });
  return lines.length > 0 ? lines.join("\n") : "no accrual waits";
}

const textOf = (catalogue: Parts["catalogue"], slug: string, amount: bigint): string =>
  `${formatAmount(amount, requireInstrument(catalogue, slug).decimals)} ${slug}`;

/** The row, and what operators have done to it. */
async function openOne({ database, catalogue }: Parts, area: "withdrawal" | "accrual", id: bigint): Promise<string> {
  const { kysely } = database;
  const row =
    area === "withdrawal"
      ? await kysely.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirst()
      : await kysely.selectFrom("wallet_credits").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw new OperatorError(`There is no ${area} ${id}.`);
  const actions = await kysely
    .selectFrom("operator_actions")
    .select(["at", "operator", "action", "reason"])
    .where("subject", "=", `${area} ${id}`)
    .orderBy("id")
    .execute();
  return [
    ...Object.entries(row).map(([name, value]) => {
      if (typeof value === "bigint" && AMOUNTS.has(name)) return `${name}: ${textOf(catalogue, row.slug, value)}`;
      return `${name}: ${value instanceof Date ? value.toISOString() : value}`;
    }),
    ...actions.map(({ at, operator, action, reason }) => `${at.toISOString()} ${operator}: ${action} (${reason})`),
  ].join("\n");
}

async function decideWithdrawal(
  { database, catalogue }: Parts,
  operator: Operator,
  id: bigint,
  { end, paidBy }: { end: "approve" | "reject"; paidBy: string | null },
): Promise<string> {
  return inTransaction(database, async (transaction) => {
    const at = await transactionTime(transaction);
    const { before, after, missing } = await changeWithdrawal(transaction, id, end, at, paidBy);
    const subject = `withdrawal ${id}`;
    await recordAction(transaction, operator, { action: `withdrawal ${end}`, subject, before, after });
    await notifyWithdrawal(transaction, id, end === "approve" ? "approved" : "rejected");
    if (missing === null || missing.amount === 0n) return "";
    return `; ${textOf(catalogue, missing.slug, missing.amount)} of what was paid is not in its wallet any more, and is taken from what its account is credited next: look at what else that has in "withdrawal list" before you approve it`;
  });
}

/** Both an accrual in review and a proposed adjustment; the latter needs another operator than the one who proposed it. */
async function decideCredit(
  { database, catalogue }: Parts,
  operator: Operator,
  id: bigint,
  end: "approve" | "reject",
): Promise<string> {
  return inTransaction(database, async (transaction) => {
    const credit = await lockCredit(transaction, id);
    if (credit === null) throw new OperatorError(`There is no accrual ${id}.`);
    if (credit.state !== "review") throw new OperatorError(`Accrual ${id} is ${credit.state}, not in review.`);
    if (end === "approve") await requireAnother(transaction, operator, id);
    let lacking = 0n;
    if (end === "approve") {
      lacking = await requireBalance(transaction, credit, credit.why);
      await grantCredit(transaction, credit, await transactionTime(transaction), lacking);
    } else await changeCredit(transaction, credit, { state: "rejected" });
    const after = { state: end === "approve" ? "completed" : "rejected", amount: credit.amount, outstanding: lacking };
    const action = { action: `accrual ${end}`, subject: `accrual ${id}`, before: { state: credit.state }, after };
    await recordAction(transaction, operator, action);
    // Nobody knew of an adjustment that is not made.
    if (end === "reject" && credit.source === "ADJUSTMENT") return "";
    const approved = credit.amount < 0n ? "wallet_debited" : "earning_approved";
    const topic = end === "approve" ? approved : "earning_rejected";
    const sourceKey = `accrual ${id} ${end}`;
    await enqueueAccountMessage(transaction, { userId: credit.userId, topic, subject: `accrual ${id}`, sourceKey });
    return lacking === 0n ? "" : lackingText(catalogue, credit.slug, lacking);
  });
}

async function requireAnother(transaction: Transaction<Schema>, { name }: Operator, id: bigint): Promise<void> {
  const proposed = await transaction
    .selectFrom("operator_actions")
    .select("operator")
    .where("subject", "=", `accrual ${id}`)
    .where("action", "=", "adjust")
    .executeTakeFirst();
  if (proposed?.operator.toLowerCase() === name.toLowerCase())
    throw new OperatorError(`${proposed.operator} proposed it: somebody else has to approve it.`);
}

/**
 * What a wallet has too little for of what is taken. Nothing is taken that it doesn't have; the check is the ledger's own, this one says so in words.
 * Throws `OperatorError` unless it may wait for what the account is credited next.
 */
async function requireBalance(
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

const lackingText = (catalogue: Parts["catalogue"], slug: string, lacking: bigint): string =>
  `; ${textOf(catalogue, slug, lacking)} of it are not in its wallet: they are taken from what the account is credited next`;

/** What an operator gives an account, or takes from it: it is in the wallet, or out of it, once another operator agrees. */
async function proposeAdjustment(
  { database, catalogue }: Parts,
  [userId = "", text = ""]: readonly string[],
  operator: Operator,
  why: string,
): Promise<string> {
  const { slug, decimals } = requireInstrument(catalogue, catalogue.terms.earningsSlug);
  const sum: bigint | null = parseAmount(text.replace(/^-/, ""), decimals);
  const amount = sum !== null && text.startsWith("-") ? -sum : sum;
  if (!ID.test(userId)) throw new OperatorError(`"${userId}" is no account.\n${EARNINGS_HELP}`);
  if (amount === null || amount === 0n)
    throw new OperatorError(`"${text}" is no amount: not 0, with at most ${decimals} decimals.\n${EARNINGS_HELP}`);
  return inTransaction(database, async (transaction) => {
    const user = transaction.selectFrom("users").select("id").where("id", "=", BigInt(userId));
    if ((await user.where("deleted_at", "is", null).executeTakeFirst()) === undefined)
      throw new OperatorError(`There is no account ${userId}.`);
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
    return `accrual ${id} is proposed${lack}; another operator approves it: npm run admin -- accrual approve ${id} REASON --as ANOTHER`;
  });
}
