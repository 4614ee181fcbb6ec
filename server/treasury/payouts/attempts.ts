import { sql, type Transaction } from "kysely";
import type { PreparedPayment } from "../../chains/port.ts";
import type { Schema } from "../../db/schema.ts";
import { kyselyOf, type QuerySource } from "../../db/transaction.ts";

export type Attempt = PreparedPayment & {
  n: number;
  status: "prepared" | "broadcast" | "mined";
  /** Null: what its payment says. */
  amount: bigint | null;
};

/**
 * The attempts that may still reach the chain, or did, the oldest first. Where there are several, each excludes the others: the chain
 * takes one of them at most.
 */
export async function liveAttempts(source: QuerySource, payoutId: bigint): Promise<Attempt[]> {
  const rows = await kyselyOf(source)
    .selectFrom("payout_attempts")
    .select(["n", "tx_id as txId", "raw", "status", "amount"])
    .where("payout_id", "=", payoutId)
    .where("status", "<>", "dead")
    .orderBy("n")
    .execute();
  return rows.flatMap(({ status, ...row }) => (status === "dead" ? [] : [{ ...row, status }]));
}

/** Whether bytes can be sent again: those of a payment that was booked by its id alone are unknown. */
export const isSendable = ({ raw }: PreparedPayment): boolean => raw !== "";

export type NewAttempt = PreparedPayment & {
  at: Date;
  status?: "prepared" | "broadcast";
  /** True where its bytes exclude those of every live attempt; otherwise each of them is dead (engine law 5). */
  excludesReplaced: boolean;
  maxCost?: bigint;
  /** What it pays where that isn't the payment's amount. */
  amount?: bigint;
};

/** Stores signed bytes after those that they replace, before anything leaves. */
export async function storeAttempt(
  transaction: Transaction<Schema>,
  payout: { id: bigint; network: string; amount: bigint },
  { txId, raw, at, status = "prepared", excludesReplaced, maxCost, amount }: NewAttempt,
): Promise<void> {
  const { last } = await transaction
    .selectFrom("payout_attempts")
    .select((build) => build.fn.max("n").as("last"))
    .where("payout_id", "=", payout.id)
    .executeTakeFirstOrThrow();
  // The payment's amount becomes that of the one which a block takes.
  if (amount !== undefined)
    await transaction
      .updateTable("payout_attempts")
      .set({ amount: payout.amount })
      .where("payout_id", "=", payout.id)
      .where("amount", "is", null)
      .execute();
  await transaction
    .insertInto("payout_attempts")
    .values({
      payout_id: payout.id,
      n: (last ?? 0) + 1,
      network: payout.network,
      tx_id: txId,
      raw,
      status,
      prepared_at: at,
      ...(status === "broadcast" && { broadcast_at: at }),
      replaces: last,
      excludes_replaced: excludesReplaced,
      ...(maxCost !== undefined && { max_cost: maxCost }),
      ...(amount !== undefined && { amount }),
    })
    .execute();
}

/** Records that what was stored has been sent, whatever its node said of it. */
export async function markSent(transaction: Transaction<Schema>, payoutId: bigint, at: Date): Promise<void> {
  await transaction
    .updateTable("payout_attempts")
    .set({ status: "broadcast", broadcast_at: at })
    .where("payout_id", "=", payoutId)
    .where("status", "=", "prepared")
    .execute();
}

/** Records which attempt a block holds: a reorganisation may have swapped it for another one. */
export async function markMined(transaction: Transaction<Schema>, payoutId: bigint, txId: string): Promise<void> {
  const attempts = transaction.updateTable("payout_attempts").where("payout_id", "=", payoutId);
  await attempts.set({ status: "broadcast" }).where("status", "=", "mined").where("tx_id", "<>", txId).execute();
  await attempts.set({ status: "mined" }).where("tx_id", "=", txId).execute();
}

/** One of several is final: the others can never be. */
export async function endReplaced(transaction: Transaction<Schema>, payoutId: bigint): Promise<void> {
  await transaction
    .updateTable("payout_attempts")
    .set({ status: "dead" })
    .where("payout_id", "=", payoutId)
    .where("status", "in", ["prepared", "broadcast"])
    .execute();
}

/** Marks all given attempts as dead. False, and nothing is changed, unless they are all that is alive. */
export async function endAttempts(
  transaction: Transaction<Schema>,
  payoutId: bigint,
  ended: readonly Attempt[],
): Promise<boolean> {
  const live = await liveAttempts(transaction, payoutId);
  // One that a block holds since it was looked up is alive; one that was mined, undone and excluded is not.
  if (!areSame(live, ended) || live.some(({ status }, at) => status !== ended[at]?.status)) return false;
  const dead = transaction.updateTable("payout_attempts").set({ status: "dead" });
  await dead.where("payout_id", "=", payoutId).where("status", "<>", "dead").execute();
  return true;
}

export const areSame = (some: readonly Attempt[], others: readonly Attempt[]): boolean =>
  some.map(({ n }) => n).join() === others.map(({ n }) => n).join();

/** What a payment's signed bytes may cost at most; null: no more than its handle says. */
export const signedCost = sql<bigint | null>`(
  select max(a.max_cost) from payout_attempts a where a.payout_id = p.id and a.status <> 'dead')`;
