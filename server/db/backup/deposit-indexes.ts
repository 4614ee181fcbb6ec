import { sql, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";

/** More addresses than are given out between two backups. */
export const SKIPPED_ADDRESSES = 10_000;

/**
 * Takes the next indexes of deposit addresses of a network's address space; no index is ever returned twice. A statement of its own, so
 * that its row is locked for a moment only, and taken indexes stay taken whatever becomes of the order.
 */
export async function takeDepositIndexes(database: Database, addressSpace: string, count: number): Promise<bigint[]> {
  // The lock makes a new count wait for the skip that runs beside it.
  const { rows } = await sql<{ next: bigint }>`
    insert into deposit_indexes (address_space, next)
      select ${addressSpace}, value + ${count}::bigint from first_deposit_index for share
    on conflict (address_space) do update set next = deposit_indexes.next + ${count}::bigint
    returning next`.execute(database.kysely);
  const [row] = rows;
  if (row === undefined) throw new Error("the database doesn't say where deposit addresses begin");
  return Array.from({ length: count }, (_, offset) => row.next - BigInt(count - offset));
}

/** Skips the deposit addresses that may have been given out after a backup, of every network: for a database that was restored. */
export async function skipDepositAddresses(transaction: Transaction<Schema>): Promise<void> {
  await sql`update first_deposit_index set value = value + ${SKIPPED_ADDRESSES}::bigint`.execute(transaction);
  await sql`update deposit_indexes set next = next + ${SKIPPED_ADDRESSES}::bigint`.execute(transaction);
}
