import type { Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import { enqueueAccountMessage } from "../../notifications/index.ts";

export type WithdrawalEvent = "requested" | "in_review" | "approved" | "rejected" | "paid" | "failed";

/**
 * Notifies whoever withdraws of what has become of it, once for each event, in the transaction that decides it. A payment that needs an
 * operator has failed for them; one that did so only after it had arrived is ours to look at.
 */
export async function notifyWithdrawal(
  transaction: Transaction<Schema>,
  id: bigint,
  event: WithdrawalEvent,
): Promise<void> {
  const row = await transaction
    .selectFrom("withdrawals")
    .select(["user_id as userId", "state"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (event === "failed" && row.state !== "approved") return;
  await enqueueAccountMessage(transaction, {
    userId: row.userId,
    topic: `withdrawal_${event}`,
    subject: `withdrawal ${id}`,
    sourceKey: `withdrawal ${id} ${event}`,
    payload: { withdrawalId: `${id}` },
  });
}
