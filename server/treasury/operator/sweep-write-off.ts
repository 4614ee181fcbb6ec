import type { Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { lockSweep, type SweepRow } from "../sweeps/sweep-store.ts";
import { type Operator, OperatorError, recordAction } from "../../admin/index.ts";
import { requireUnsent } from "./payouts.ts";

/**
 * Proposes to write off what a held sweep was to move: it is gone from its deposit address, as after the restore of a backup that is
 * older than the sweep. Returns the proposal's number, for the operator who confirms it. Throws `OperatorError`.
 */
export function proposeSweepWriteOff(database: Database, operator: Operator, payoutId: bigint): Promise<bigint> {
  return inTransaction(database, async (transaction) => {
    const { id: sweepId, network, slug, amount: swept } = await lockHeldSweep(transaction, payoutId);
    const open = await transaction
      .selectFrom("adjustments")
      .select("id")
      .where("payout_id", "=", payoutId)
      .where("confirmed_at", "is", null)
      .where("withdrawn_at", "is", null)
      .executeTakeFirst();
    if (open !== undefined)
      throw new OperatorError(`Proposal ${open.id} is to write it off: somebody else confirms it.`);
    const adjustment = { network, slug, account: "deposits", amount: -swept } as const;
    const { id } = await transaction
      .insertInto("adjustments")
      .values({
        ...adjustment,
        reason: operator.reason,
        proposed_by: operator.name,
        is_unmeasured: true,
        payout_id: payoutId,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const subject = `payout ${payoutId}`;
    const after = { adjustment: id, sweep: sweepId, ...adjustment };
    await recordAction(transaction, operator, { action: "payout write-off", subject, before: {}, after });
    return id;
  });
}

/** Ends the sweep of a payment whose coins are written off. Throws `OperatorError` where it has gone on since that was proposed. */
export async function endSweep(transaction: Transaction<Schema>, payoutId: bigint): Promise<void> {
  const { id, amount } = await lockHeldSweep(transaction, payoutId);
  await transaction
    .updateTable("payouts")
    .set({ state: "returned", amount, review_reason: null, review_at: null, next_attempt_at: null })
    .where("id", "=", payoutId)
    .execute();
  await transaction.updateTable("sweeps").set({ state: "done" }).where("id", "=", id).execute();
}

async function lockHeldSweep(transaction: Transaction<Schema>, payoutId: bigint): Promise<SweepRow> {
  const payout = await requireUnsent(transaction, payoutId);
  if (payout.purpose !== "sweep" || payout.sweepId === null)
    throw new OperatorError(`Payment ${payoutId} is no sweep: only a sweep's coins can be written off.`);
  return lockSweep(transaction, payout.sweepId);
}
