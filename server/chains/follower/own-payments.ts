import type { Transaction } from "kysely";
import type { Schema } from "../../db/schema.ts";
import type { Handle, RecentPayment } from "../port.ts";

/** The handles of what waits on a key; none unless each of it is shown whole, and is decided to be to ourselves. */
export async function handlesToOurselves(
  transaction: Transaction<Schema>,
  network: string,
  payments: readonly RecentPayment[],
  [key]: readonly string[],
): Promise<Handle[]> {
  const there = payments.filter((payment) => payment.key === key);
  const shown = there.flatMap(({ txId, data }) =>
    txId === null || data === undefined || key === undefined ? [] : [{ txId, handle: { keys: [key], data } }],
  );
  const ids = [...new Set(shown.map(({ txId }) => txId))];
  if (ids.length === 0 || shown.length !== there.length || there.some(({ isToOurselves }) => isToOurselves !== true))
    return [];
  const { decided } = await transaction
    .selectFrom("unknown_payments")
    .select((build) => build.fn.countAll().as("decided"))
    .where("network", "=", network)
    .where("tx_id", "in", ids)
    .where("decision", "=", "to ourselves")
    .where("height", "is", null)
    .executeTakeFirstOrThrow();
  return Number(decided) === ids.length ? shown.map(({ handle }) => handle) : [];
}

/**
 * Payments to ourselves in no block whose handles the node doesn't name, by their ids: until a block has one of them, or another with its coins, bytes
 * that spend the same may come instead.
 */
export async function idsToOurselves(
  transaction: Transaction<Schema>,
  network: string,
  payments: readonly RecentPayment[],
): Promise<string[]> {
  const ids = payments.flatMap(({ txId, height, key }) =>
    txId !== null && height === null && key === undefined ? [txId] : [],
  );
  if (ids.length === 0) return [];
  const rows = await transaction
    .selectFrom("unknown_payments")
    .select("tx_id")
    .where("network", "=", network)
    .where("tx_id", "in", ids)
    .where("decision", "=", "to ourselves")
    .execute();
  return rows.map(({ tx_id }) => tx_id);
}
