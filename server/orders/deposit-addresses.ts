import type { Database } from "../db/database.ts";
import { takeDepositIndexes } from "../db/deposit-indexes.ts";
import { addressSpaceOf, type DepositAddress, type NetworkReader } from "../chains/port.ts";
import type { Log } from "../base/log.ts";

/** Indexes taken from the database at once for each network, and addresses derived ahead. */
const BLOCK = 50;

export type IndexedAddress = { index: bigint; address: DepositAddress };
export type DepositAddresses = { take(reader: NetworkReader): Promise<IndexedAddress> };

/**
 * Deposit addresses derived ahead of the orders that need them: deriving one takes about a millisecond. An index
 * that is lost with a process leaves a harmless gap; none is ever used twice.
 */
export function createDepositAddresses(database: Database, log: Log): DepositAddresses {
  const indexes = new Map<string, bigint[]>();
  const ready = new Map<string, IndexedAddress[]>();
  const filling = new Set<string>();

  const nextIndex = async (reader: NetworkReader): Promise<bigint> => {
    const space = addressSpaceOf(reader);
    const known = indexes.get(space)?.shift();
    if (known !== undefined) return known;
    const taken = await takeDepositIndexes(database, space, BLOCK);
    indexes.set(space, [...(indexes.get(space) ?? []), ...taken]);
    return nextIndex(reader);
  };

  const make = async (reader: NetworkReader): Promise<IndexedAddress> => {
    const index = await nextIndex(reader);
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
