import type { Transaction } from "kysely";
import type { PreparedChild, PreparedPayment } from "../../../chains/port.ts";
import type { Schema } from "../../../db/schema.ts";

/** A payment to ourselves that leads a stuck one on: it spends the change of the attempt `paysFor`, or uses a nonce below. */
export type Child = PreparedPayment & {
  paysFor: string;
  maxCost: bigint;
  /** Where it spends nothing of that attempt, but uses a nonce below its own that no payment has. */
  nonce: number | null;
};

/** Those that may still be mined, the oldest first: each spends what the one before has left. */
export function liveChildren(
  { kysely }: { kysely: Pick<Transaction<Schema>, "selectFrom"> },
  payoutId: bigint,
): Promise<Child[]> {
  return kysely
    .selectFrom("payout_children")
    .select(["tx_id as txId", "raw", "pays_for as paysFor", "max_cost as maxCost", "nonce"])
    .where("payout_id", "=", payoutId)
    .where("status", "=", "prepared")
    .orderBy("n")
    .execute();
}

/** Stores signed bytes before anything leaves; what they spend is reserved by the payment's handle. */
export async function storeChild(
  transaction: Transaction<Schema>,
  { id, network }: { id: bigint; network: string },
  { txId, raw, paysFor, maxCost, nonce = null, at }: Omit<PreparedChild, "keys"> & { nonce?: number | null; at: Date },
): Promise<void> {
  const { last } = await transaction
    .selectFrom("payout_children")
    .select((build) => build.fn.max("n").as("last"))
    .where("payout_id", "=", id)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("payout_children")
    .values({
      payout_id: id,
      n: (last ?? 0) + 1,
      network,
      tx_id: txId,
      raw,
      pays_for: paysFor,
      max_cost: maxCost,
      nonce,
      status: "prepared",
      prepared_at: at,
    })
    .execute();
}

/** Ends those that may still be mined: these ids are final, and the others can never be. */
export async function endChildren(
  transaction: Transaction<Schema>,
  payoutId: bigint,
  minedTxIds: readonly string[],
): Promise<void> {
  const ended = transaction
    .updateTable("payout_children")
    .where("payout_id", "=", payoutId)
    .where("status", "=", "prepared");
  if (minedTxIds.length > 0) await ended.set({ status: "mined" }).where("tx_id", "in", minedTxIds).execute();
  await ended.set({ status: "dead" }).execute();
}
