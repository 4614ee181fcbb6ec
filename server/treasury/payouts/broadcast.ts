import { sql } from "kysely";
import type { BroadcastResult, NetworkWallet, PreparedPayment } from "../../chains/port.ts";
import { inTransaction } from "../../db/transaction.ts";
import { markSent, type Attempt } from "./attempts.ts";
import { payoutPauseSeconds, reviewPayout } from "./failures.ts";
import type { AttemptsOnChain } from "./lookup.ts";
import { dueIn, lockPayout, type PayoutParts, type PayoutRow } from "./store.ts";

/** Blocks wake a payment that waits for them; this is for a wake that was missed. */
export const CHECK_SECONDS = 45;
/** A node that refuses the same bytes so often will not take them later either. */
const MAX_REFUSALS = 4;

/** Sends an attempt for the first time: it is committed already (engine law 5). */
export async function broadcastFirst(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  attempt: PreparedPayment,
): Promise<void> {
  const result = await wallet.broadcast(attempt);
  if (result.kind !== "accepted") {
    parts.log.warn(
      { orderId: payout.orderId, txId: attempt.txId, result: result.kind, reason: result.reason },
      "a broadcast's result is unknown; it is looked up by its id",
    );
  }
  await inTransaction(
    parts.database,
    async (transaction) => {
      await lockPayout(transaction, payout.id);
      await markSent(transaction, payout.id, parts.clock.now());
      await transaction
        .updateTable("payouts")
        .set({
          state: "broadcast",
          next_attempt_at: dueIn(result.kind === "accepted" ? CHECK_SECONDS : payoutPauseSeconds(1)),
          failures: result.kind === "accepted" ? 0 : 1,
          last_error: result.kind === "accepted" ? null : result.reason,
        })
        .where("id", "=", payout.id)
        .where("state", "=", "intended")
        .execute();
    },
    parts.probe,
  );
}

/**
 * Sends attempts that their node doesn't know again, the same bytes after longer and longer pauses. A payment of which the node knows
 * nothing, and which it refuses again and again, goes into review.
 */
export async function broadcastAgain(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  { absent, isUnknown }: Pick<AttemptsOnChain, "absent" | "isUnknown">,
): Promise<void> {
  if (!(await mayResend(parts, payout))) return scheduleResend(parts, payout, payout.failures, null);
  const result = await sendAbsent(wallet, absent);
  if (result.kind === "accepted") return scheduleResend(parts, payout, 0, null);
  const failures = payout.failures + 1;
  const [newest] = absent;
  parts.log.warn(
    { payoutId: payout.id.toString(), txId: newest?.txId, failures, result: result.kind, reason: result.reason },
    "a payment that its node doesn't know could not be sent again",
  );
  if (result.kind === "refused" && isUnknown && failures >= MAX_REFUSALS)
    return reviewPayout(parts, payout, "broadcast_refused", result.reason);
  return scheduleResend(parts, payout, failures, result.reason);
}

/** Sends the newest that its node takes; what the node says of the very newest where it takes none. */
export async function sendAbsent(wallet: NetworkWallet, absent: readonly Attempt[]): Promise<BroadcastResult> {
  let first: BroadcastResult | null = null;
  for (const attempt of absent) {
    const result = await wallet.broadcast(attempt);
    if (result.kind === "accepted") return result;
    first ??= result;
  }
  return first ?? { kind: "unknown", reason: "its bytes are unknown" };
}

async function mayResend({ database }: PayoutParts, payout: PayoutRow): Promise<boolean> {
  const row = await database.kysely
    .selectFrom("payouts")
    .select("id")
    .where("id", "=", payout.id)
    .where(sql<boolean>`coalesce(resend_at <= now(), true)`)
    .executeTakeFirst();
  return row !== undefined;
}

async function scheduleResend(
  { database }: PayoutParts,
  payout: PayoutRow,
  failures: number,
  error: string | null,
): Promise<void> {
  const pause = failures === 0 ? CHECK_SECONDS : payoutPauseSeconds(failures);
  await database.kysely
    .updateTable("payouts")
    .set({
      failures,
      next_attempt_at: dueIn(Math.min(pause, CHECK_SECONDS)),
      ...(error !== null && { last_error: error, resend_at: sql<Date>`now() + make_interval(secs => ${pause})` }),
      ...(failures === 0 && { last_error: null, resend_at: null }),
    })
    .where("id", "=", payout.id)
    .execute();
}
