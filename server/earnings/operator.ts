import { sql, type Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import { inTransaction, transactionTime } from "../db/transaction.ts";
import { enqueueAccountMessage } from "../notifications/index.ts";
import { type Operator, OperatorError, readOperator, readOptions, recordAction } from "../admin/index.ts";
import { ADJUST_HELP, ID, lackingText, proposeAdjustment, requireBalance, textOf, type Parts } from "./adjustments.ts";
import { changeWithdrawal } from "./withdrawals/change-withdrawal.ts";
import { notifyWithdrawal } from "./withdrawals/notify-withdrawal.ts";
import { changeCredit, grantCredit, lockCredit } from "./wallet.ts";

export const EARNINGS_HELP = `npm run admin -- withdrawal list
npm run admin -- withdrawal open <id>
npm run admin -- withdrawal approve <id> REASON --as NAME [--transaction <transaction>]
npm run admin -- withdrawal reject <id> REASON --as NAME
npm run admin -- accrual list
npm run admin -- accrual open <id>
npm run admin -- accrual approve <id> REASON --as NAME
npm run admin -- accrual reject <id> REASON --as NAME
${ADJUST_HELP}`;

const AMOUNTS: ReadonlySet<string> = new Set(["amount", "network_fee", "lost", "outstanding"]);

/** Runs a command on withdrawals and credits, and returns its output. Null for any other command. Throws `OperatorError`. */
export async function runEarningsCommand(parts: Parts, given: readonly string[]): Promise<string | null> {
  const [area, ...rest] = given;
  if (area !== "withdrawal" && area !== "accrual" && area !== "adjust") return null;
  if (area === "adjust") {
    // A negative amount would be taken for an option.
    const { words, options } = readOptions(rest.slice(2), ["as", "from-credits"]);
    return proposeAdjustment(parts, rest, readOperator(options, words), options["from-credits"] === true);
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
