import { sql, type Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { MAX_TRIES, payoutPauseSeconds } from "../payouts/failures.ts";
import type { PayoutParts } from "../payouts/store.ts";
import type { SweepRow } from "./sweep-store.ts";

const MAX_ERROR_LENGTH = 500;

/** Counts a failure of a sweep that has no payment yet: it is tried again after a pause that grows, and held after its tries (engine law 16). */
export async function recordSweepFailure(
  { database, log }: Pick<PayoutParts, "database" | "log">,
  { id, network, slug, failures: before }: SweepRow,
  { reason, message: error }: { reason: string; message: string },
): Promise<void> {
  const failures = before + 1;
  const isHeld = failures >= MAX_TRIES;
  const about = { sweepId: id.toString(), network, slug, failures, reason, error };
  if (isHeld) log.error(about, "a sweep needs review");
  else log.warn(about, "a sweep failed and will be retried");
  await database.kysely
    .updateTable("sweeps")
    .set({
      failures,
      last_error: error.slice(0, MAX_ERROR_LENGTH),
      ...(isHeld
        ? { review_reason: reason, review_at: sql<Date>`now()`, next_attempt_at: null }
        : { next_attempt_at: sql<Date>`now() + make_interval(secs => ${payoutPauseSeconds(failures)})` }),
    })
    .where("id", "=", id)
    .where("state", "=", "planned")
    .where("review_reason", "is", null)
    .execute();
}

/** It has gone on. */
export async function forgetFailures(transaction: Transaction<Schema>, id: bigint): Promise<void> {
  await transaction.updateTable("sweeps").set({ failures: 0 }).where("id", "=", id).where("failures", ">", 0).execute();
}
