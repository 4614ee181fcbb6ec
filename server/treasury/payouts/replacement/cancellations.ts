import type { Transaction } from "kysely";
import type { PreparedPayment } from "../../../chains/port.ts";
import type { Database } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";

type Reads = Pick<Transaction<Schema>, "selectFrom">;

const open = (reads: Reads, payoutId: bigint) =>
  reads
    .selectFrom("payout_cancellations")
    .select(["tx_id as txId", "raw"])
    .where("payout_id", "=", payoutId)
    .where("status", "=", "prepared")
    .orderBy("n");

/** The empty payments that may still take a payment's place, the oldest first: each excludes the others. */
export const openCancellations = ({ kysely }: Database, payoutId: bigint): Promise<PreparedPayment[]> =>
  open(kysely, payoutId).execute();

/** The newest of them. */
export async function lastCancellation(
  transaction: Transaction<Schema>,
  payoutId: bigint,
): Promise<PreparedPayment | null> {
  return (await open(transaction, payoutId).execute()).at(-1) ?? null;
}

export async function storeCancellation(
  transaction: Transaction<Schema>,
  { id, network }: { id: bigint; network: string },
  { txId, raw }: PreparedPayment,
  at: Date,
): Promise<void> {
  const { last } = await transaction
    .selectFrom("payout_cancellations")
    .select((build) => build.fn.max("n").as("last"))
    .where("payout_id", "=", id)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("payout_cancellations")
    .values({ payout_id: id, n: (last ?? 0) + 1, network, tx_id: txId, raw, status: "prepared", prepared_at: at })
    .execute();
}

/** One that excludes them all is final: the empty payment `minedTxId`, or with null the payment itself. */
export async function endCancellations(
  transaction: Transaction<Schema>,
  payoutId: bigint,
  minedTxId: string | null,
): Promise<void> {
  const ended = transaction
    .updateTable("payout_cancellations")
    .where("payout_id", "=", payoutId)
    .where("status", "=", "prepared");
  if (minedTxId !== null) await ended.set({ status: "mined" }).where("tx_id", "=", minedTxId).execute();
  await ended.set({ status: "dead" }).execute();
}
