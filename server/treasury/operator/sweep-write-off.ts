import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { loadSweep, lockSweep, type SweepRow } from "../sweeps/sweep-store.ts";
import { type Operator, OperatorError, recordAction } from "../../admin/index.ts";
import { requireUnsent } from "./payouts.ts";

/**
 * Proposes to write off what a held sweep was to move: it is gone from its deposit address, as after the restore of a backup that is
 * older than the sweep. Returns the proposal's number, for the operator who confirms it. Throws `OperatorError`.
 */
export function proposeSweepWriteOff(database: Database, operator: Operator, payoutId: bigint): Promise<bigint> {
  return inTransaction(database, async (transaction) => {
    const sweep = await lockSweepOf(transaction, payoutId);
    return propose(transaction, operator, sweep, { payout_id: payoutId });
  });
}

/** The same of a sweep that is held before it has a payment: its token refuses to move what lies there. */
export function proposeHeldSweepWriteOff(database: Database, operator: Operator, sweepId: bigint): Promise<bigint> {
  return inTransaction(database, async (transaction) => {
    const sweep = await lockHeld(transaction, sweepId);
    return propose(transaction, operator, sweep, { sweep_id: sweepId });
  });
}

/** Lets a held sweep be tried again. Throws `OperatorError`. */
export async function retrySweep(database: Database, operator: Operator, sweepId: bigint): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockHeld(transaction, sweepId);
    const before = await transaction
      .selectFrom("sweeps")
      .select(["review_reason as reason", "last_error as error"])
      .where("id", "=", sweepId)
      .executeTakeFirstOrThrow();
    const after = { review_reason: null, review_at: null, failures: 0, next_attempt_at: sql<Date>`now()` };
    await transaction.updateTable("sweeps").set(after).where("id", "=", sweepId).execute();
    const subject = `sweep ${sweepId}`;
    await recordAction(transaction, operator, { action: "sweep retry", subject, before, after: { state: "planned" } });
  });
}

async function propose(
  transaction: Transaction<Schema>,
  operator: Operator,
  { id: sweepId, network, slug, amount: swept }: SweepRow,
  of: { payout_id: bigint } | { sweep_id: bigint },
): Promise<bigint> {
  const [column, subjectId, area] =
    "payout_id" in of
      ? (["payout_id", of.payout_id, "payout"] as const)
      : (["sweep_id", of.sweep_id, "sweep"] as const);
  const open = await transaction
    .selectFrom("adjustments")
    .select("id")
    .where(column, "=", subjectId)
    .where("confirmed_at", "is", null)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  if (open !== undefined) throw new OperatorError(`Proposal ${open.id} is to write it off: somebody else confirms it.`);
  const adjustment = { network, slug, account: "deposits", amount: -swept } as const;
  const { id } = await transaction
    .insertInto("adjustments")
    .values({ ...adjustment, reason: operator.reason, proposed_by: operator.name, is_unmeasured: true, ...of })
    .returning("id")
    .executeTakeFirstOrThrow();
  const after = { adjustment: id, sweep: sweepId, ...adjustment };
  const subject = `${area} ${subjectId}`;
  await recordAction(transaction, operator, { action: `${area} write-off`, subject, before: {}, after });
  return id;
}

/** Ends the sweep of a payment whose coins are written off. Throws `OperatorError` where it has gone on since that was proposed. */
export async function endSweep(transaction: Transaction<Schema>, payoutId: bigint): Promise<void> {
  const { id, amount } = await lockSweepOf(transaction, payoutId);
  await transaction
    .updateTable("payouts")
    .set({ state: "returned", amount, review_reason: null, review_at: null, next_attempt_at: null })
    .where("id", "=", payoutId)
    .execute();
  await transaction.updateTable("sweeps").set({ state: "done" }).where("id", "=", id).execute();
}

/** Ends a held sweep whose coins are written off. Throws `OperatorError` where it has gone on since that was proposed. */
export async function endHeldSweep(transaction: Transaction<Schema>, sweepId: bigint): Promise<void> {
  await lockHeld(transaction, sweepId);
  const ended = { state: "done", review_reason: null, review_at: null, next_attempt_at: null } as const;
  await transaction.updateTable("sweeps").set(ended).where("id", "=", sweepId).execute();
}

async function lockHeld(transaction: Transaction<Schema>, sweepId: bigint): Promise<SweepRow> {
  if ((await loadSweep(transaction, sweepId)) === null) throw new OperatorError(`There is no sweep ${sweepId}.`);
  const sweep = await lockSweep(transaction, sweepId);
  if (!sweep.isHeld) throw new OperatorError(`Sweep ${sweepId} is ${sweep.state}, not in review.`);
  return sweep;
}

async function lockSweepOf(transaction: Transaction<Schema>, payoutId: bigint): Promise<SweepRow> {
  const payout = await requireUnsent(transaction, payoutId);
  if (payout.purpose !== "sweep" || payout.sweepId === null)
    throw new OperatorError(`Payment ${payoutId} is no sweep: only a sweep's coins can be written off.`);
  return lockSweep(transaction, payout.sweepId);
}
