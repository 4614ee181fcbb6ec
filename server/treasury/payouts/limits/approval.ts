import { sql, type Transaction } from "kysely";
import { powerOfTen } from "#contract/money.ts";
import { PRICE_DECIMALS } from "../../../catalogue/index.ts";
import type { Database } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import { type Operator, OperatorError } from "../../../admin/index.ts";
import { LARGE_PAYMENT, reviewPayout } from "../failures.ts";
import { markStuck, type StuckReason } from "../replacement/stuck.ts";
import { schedulePayout, type ApprovalBounds, type PayoutParts, type PayoutRow } from "../store.ts";
import { hourlySumOver, NO_PRICE, worthUsd } from "./hourly-sums.ts";

const PRICE_RETRY_SECONDS = 30;
const MAX_PRICE_WAIT_SECONDS = 3_600;

/** Whole dollars of the configuration as prices are counted; null: no bound. */
export function approvalBounds({ aboveUsd, hourlyUsd, networkHourlyUsd }: UsdBounds): ApprovalBounds {
  const scaled = (usd: number | null) => (usd === null ? null : BigInt(usd) * powerOfTen(PRICE_DECIMALS));
  return { aboveUsd: scaled(aboveUsd), hourlyUsd: scaled(hourlyUsd), networkHourlyUsd: scaled(networkHourlyUsd) };
}

type UsdBounds = Readonly<Record<keyof ApprovalBounds, number | null>>;

/** These move coins between addresses of our own. */
const INTERNAL: ReadonlySet<PayoutRow["purpose"]> = new Set(["sweep", "gas", "consolidation"]);

/** What an approval counts for: a payment that changes in any of these needs another one. */
const approvedPart = ({ purpose, network, slug, amount, toAddress, toMemo }: PayoutRow): string =>
  JSON.stringify({ purpose, network, slug, amount: amount.toString(), to: toAddress, memo: toMemo });

/**
 * Whether a payment can't be signed now because it is worth more than the bound, or takes what was paid within an hour over one: it is held
 * until two operators have approved it as it is. One without a price waits for it, and counts as over the bound after an hour.
 */
export async function holdsForApproval(parts: PayoutParts, payout: PayoutRow): Promise<boolean> {
  const { approval } = parts;
  if (approval === null || INTERNAL.has(payout.purpose)) return false;
  const found = await whyLarge(parts, approval, payout);
  if (found === null || (await isApproved(parts.database, payout))) return false;
  if (found === NO_PRICE && !(await hasWaitedLong(parts.database, payout))) {
    await markStuck(parts, payout, "no_price", `there is no price of ${payout.slug}`);
    await schedulePayout(parts.database, payout.id, PRICE_RETRY_SECONDS);
    return true;
  }
  await reviewPayout(parts, payout, LARGE_PAYMENT, found);
  return true;
}

async function whyLarge(parts: PayoutParts, bounds: ApprovalBounds, payout: PayoutRow): Promise<string | null> {
  const worth = worthUsd(parts, payout);
  if (worth === null) return NO_PRICE;
  if (bounds.aboveUsd !== null && worth > bounds.aboveUsd) return "it is worth more than the bound";
  return hourlySumOver(parts, bounds, payout);
}

/** Prices that are gone come back within minutes as a rule. */
async function hasWaitedLong({ kysely }: Database, { id }: PayoutRow): Promise<boolean> {
  const row = await kysely
    .selectFrom("payouts")
    .select("id")
    .where("id", "=", id)
    .where("stuck_reason", "=", "no_price" satisfies StuckReason)
    .where(sql<boolean>`stuck_at < now() - make_interval(secs => ${MAX_PRICE_WAIT_SECONDS})`)
    .executeTakeFirst();
  return row !== undefined;
}

async function isApproved({ kysely }: Database, payout: PayoutRow): Promise<boolean> {
  const row = await kysely
    .selectFrom("payouts")
    .select("id")
    .where("id", "=", payout.id)
    .where(sql<boolean>`approval = ${approvedPart(payout)}::jsonb`)
    .where("approval_confirmed_by", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Proposes a large payment as it is now, for another operator to confirm. The payment must be locked. Throws `OperatorError`. */
export async function proposeApproval(
  transaction: Transaction<Schema>,
  operator: Operator,
  payout: PayoutRow,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("payouts")
    .set({ approval: approvedPart(payout), approval_proposed_by: operator.name, approval_confirmed_by: null })
    .where("id", "=", payout.id)
    .where(sql<boolean>`approval is distinct from ${approvedPart(payout)}::jsonb`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new OperatorError(`It is proposed: somebody else confirms it with "payout confirm".`);
}

/** Approves a proposed payment, as another operator than the one who proposed it. The payment must be locked. Throws `OperatorError`. */
export async function confirmApproval(
  transaction: Transaction<Schema>,
  operator: Operator,
  payout: PayoutRow,
): Promise<string> {
  const row = await transaction
    .selectFrom("payouts")
    .select(["approval_proposed_by as proposedBy"])
    .where("id", "=", payout.id)
    .where(sql<boolean>`approval = ${approvedPart(payout)}::jsonb`)
    .executeTakeFirst();
  if (row === undefined || row.proposedBy === null)
    throw new OperatorError(`Nobody proposed payment ${payout.id} as it is now: "payout release" does.`);
  if (row.proposedBy.toLowerCase() === operator.name.toLowerCase())
    throw new OperatorError(`${row.proposedBy} proposed it: somebody else has to confirm it.`);
  await transaction
    .updateTable("payouts")
    .set({ approval_confirmed_by: operator.name })
    .where("id", "=", payout.id)
    .execute();
  return row.proposedBy;
}
