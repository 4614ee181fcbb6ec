import { sql } from "kysely";
import { dueIn, reservedHandle, type PayoutParts, type PayoutRow } from "./store.ts";

/** A block makes what is queued due; this is for one that was missed. */
const RETRY_SECONDS = 30;

/** Sweeps are sent from their own addresses, and everything else waits for a consolidation. */
const isQueueing = ({ purpose }: PayoutRow): boolean => purpose !== "sweep" && purpose !== "consolidation";

/**
 * Whether a payment has to wait without its node being asked: others of its wallet wait for a block, as many as may, and older ones wait for
 * their place.
 */
export async function isBehindOthers(parts: PayoutParts, payout: PayoutRow): Promise<boolean> {
  if (!isQueueing(payout)) return false;
  const mayWait = parts.fullWallets.has(payout.network) || (await hasOlder(parts, payout));
  // One that has its place already, as after a crash, is what others wait for.
  return mayWait && (await reservedHandle(parts.database, payout.id)) === null;
}

async function hasOlder({ database }: PayoutParts, payout: PayoutRow): Promise<boolean> {
  // Those that were queued are due together, the oldest first.
  if (payout.queuedAt !== null) return false;
  const older = await database.kysely
    .selectFrom("payouts")
    .select("id")
    .where("network", "=", payout.network)
    .where("queued_at", "is not", null)
    .where("state", "=", "intended")
    .where("id", "<", payout.id)
    .limit(1)
    .executeTakeFirst();
  return older !== undefined;
}

/** Its wallet takes no more: neither the payment nor another one asks again before a block. */
export async function recordFull(parts: PayoutParts, payout: PayoutRow, reason: string): Promise<void> {
  parts.fullWallets.add(payout.network);
  if (parts.isStopReminderDue(`${payout.network} takes no more payments`))
    parts.log.warn({ network: payout.network, reason }, "further payments wait for the next block");
  await queuePayment(parts, payout);
}

export async function queuePayment({ database }: PayoutParts, payout: PayoutRow): Promise<void> {
  await database.kysely
    .updateTable("payouts")
    .set({ queued_at: sql<Date>`coalesce(queued_at, now())`, next_attempt_at: dueIn(RETRY_SECONDS) })
    .where("id", "=", payout.id)
    .where("state", "=", "intended")
    .execute();
}

/** It waits for something else now, and nothing waits behind it. */
export async function leaveQueue({ database }: PayoutParts, payout: PayoutRow): Promise<void> {
  if (payout.queuedAt === null) return;
  await database.kysely.updateTable("payouts").set({ queued_at: null }).where("id", "=", payout.id).execute();
}
