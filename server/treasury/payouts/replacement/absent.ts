import { sql, type Transaction } from "kysely";
import type { Schema } from "../../../db/schema.ts";
import { OperatorError } from "../../../admin/index.ts";

/** A worker that runs has asked its node within this. */
const ASKED_WITHIN_MINUTES = 5;

/** Throws `OperatorError` unless no block and, as a worker has just asked, no node shows a payment that was booked. */
export async function requireAbsent(
  transaction: Transaction<Schema>,
  { network, txId }: { network: string; txId: string },
  booked: bigint,
): Promise<void> {
  const { height, isAbsent } = await transaction
    .selectFrom("unknown_payments")
    .select([
      "height",
      sql<boolean>`coalesce(absent_at > now() - make_interval(mins => ${ASKED_WITHIN_MINUTES}), false)`.as("isAbsent"),
    ])
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .executeTakeFirstOrThrow();
  if (height !== null)
    throw new OperatorError(`Block ${height} has ${txId} again, which was booked as payment ${booked}.`);
  if (!isAbsent)
    throw new OperatorError(
      `A node shows ${txId}, which was booked as payment ${booked}, or no worker has asked one for it in the last ${ASKED_WITHIN_MINUTES} minutes: wait until none shows it.`,
    );
}
