import { sql } from "kysely";
import type { PaymentRefusedError } from "../../../chains/port.ts";
import type { PayoutParts, PayoutRow } from "../store.ts";

/**
 * Why a payment that no block takes is not replaced, or not even signed: its network asks for more than the caps allow, or nobody knows what it is worth;
 * docs/operations.md says what leads on from each.
 */
export type StuckReason =
  | PaymentRefusedError["reason"]
  | "replaced_too_often"
  | "not_enough_funds"
  | "network_fees_over_cap"
  | "no_price"
  | "nonce_gap"
  | "nonce_too_high"
  | typeof BOOKED_AND_GONE;

/** It was booked as a transaction whose bytes nobody knows, and which no node and no block shows any more. */
export const BOOKED_AND_GONE = "booked_and_gone";

type ReplacementParts = Pick<PayoutParts, "database" | "replacement">;

/** No pause between two replacements is longer than so many times the first. */
const MAX_PAUSES = 16;

/** What a payment's row says while nothing is wrong with it. */
export const NOT_STUCK = {
  replace_at: null,
  stuck_at: null,
  stuck_reason: null,
  short_since: null,
  queued_at: null,
} as const;

/** Nothing of it is signed, and an operator may decide what becomes of it; it goes on by itself once there is enough. */
export const isShort = ({ state, stuckReason }: Pick<PayoutRow, "state" | "stuckReason">): boolean =>
  state === "intended" && stuckReason === SHORT;

const SHORT = "not_enough_funds" satisfies StuckReason;

/** Each pause is twice as long as the one before. */
export function replaceAt(parts: Pick<PayoutParts, "replacement">, network: string, replacements: number) {
  const { replaceAfterSeconds } = parts.replacement(network);
  const seconds = replaceAfterSeconds * Math.min(2 ** replacements, MAX_PAUSES);
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}

/** Whether no block took it for long enough; the time begins with the first look. */
export async function isReplacementDue(parts: ReplacementParts, payout: PayoutRow): Promise<boolean> {
  const row = await parts.database.kysely
    .selectFrom("payouts")
    .select(sql<boolean | null>`replace_at <= now()`.as("isDue"))
    .where("id", "=", payout.id)
    .executeTakeFirst();
  if (row?.isDue === null) await postponeReplacement(parts, payout);
  return row?.isDue === true;
}

export async function postponeReplacement(parts: ReplacementParts, payout: PayoutRow): Promise<void> {
  await parts.database.kysely
    .updateTable("payouts")
    .set({ replace_at: replaceAt(parts, payout.network, payout.replacements) })
    .where("id", "=", payout.id)
    .where("replacements", "=", payout.replacements)
    .execute();
}

/** Raises the alert once: it goes on by itself, when a block takes it or when it can be signed. */
export async function markStuck(
  parts: PayoutParts,
  payout: PayoutRow,
  reason: StuckReason,
  why: string,
): Promise<void> {
  const { numUpdatedRows } = await parts.database.kysely
    .updateTable("payouts")
    .set({ stuck_at: sql<Date>`coalesce(stuck_at, now())`, stuck_reason: reason })
    .where("id", "=", payout.id)
    .where("state", "=", payout.state)
    .where("replacements", "=", payout.replacements)
    .where(sql<boolean>`stuck_reason is distinct from ${reason}`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  parts.log.error(
    { orderId: payout.orderId, payoutId: payout.id.toString(), reason, why },
    payout.state === "intended"
      ? "a payment waits and is not signed yet"
      : "no block takes a payment, and it can't be replaced",
  );
}

/** A node shows again what was gone. */
export async function endStuck(
  { database }: Pick<PayoutParts, "database">,
  { id, stuckReason }: PayoutRow,
): Promise<void> {
  await database.kysely
    .updateTable("payouts")
    .set(NOT_STUCK)
    .where("id", "=", id)
    .where("stuck_reason", "=", stuckReason)
    .execute();
}
