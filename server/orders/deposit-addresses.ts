import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { DepositAddress, NetworkReader } from "../chains/port.ts";
import type { Log } from "../base/log.ts";

/** Indexes taken from the database at once, and addresses derived ahead for each network. */
const BLOCK = 50;

export type IndexedAddress = { index: bigint; address: DepositAddress };
export type DepositAddresses = { take(reader: NetworkReader): Promise<IndexedAddress> };

/**
 * Deposit addresses derived ahead of the orders that need them: deriving one takes about a millisecond. An index
 * that is lost with a process leaves a harmless gap; none is ever used twice.
 */
export function createDepositAddresses(database: Database, log: Log): DepositAddresses {
  const indexes: bigint[] = [];
  const ready = new Map<string, IndexedAddress[]>();
  const filling = new Set<string>();

  const nextIndex = async (): Promise<bigint> => {
    const known = indexes.pop();
    if (known !== undefined) return known;
    const { rows } = await sql<{ index: bigint }>`
      select nextval('deposit_address_index') as index from generate_series(1, ${BLOCK})`.execute(database.kysely);
    indexes.push(...rows.map((row) => row.index).reverse());
    return nextIndex();
  };

  const make = async (reader: NetworkReader): Promise<IndexedAddress> => {
    const index = await nextIndex();
    return { index, address: await reader.depositAddress(index) };
  };

  const fill = async (reader: NetworkReader, pool: IndexedAddress[]): Promise<void> => {
    if (filling.has(reader.networkTitle)) return;
    filling.add(reader.networkTitle);
    try {
      while (pool.length < BLOCK) {
        pool.push(await make(reader));
        // Yields to other work between two derivations.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      log.warn({ err: error, network: reader.networkTitle }, "deposit addresses could not be derived ahead");
    } finally {
      filling.delete(reader.networkTitle);
    }
  };

  return {
    async take(reader) {
      const pool = ready.get(reader.networkTitle) ?? [];
      ready.set(reader.networkTitle, pool);
      const taken = pool.shift() ?? (await make(reader));
      if (pool.length < BLOCK / 2) void fill(reader, pool);
      return taken;
    },
  };
}
