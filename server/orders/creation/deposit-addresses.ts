import { UNWATCHED, type CreationSteps } from "../../db/creation-steps.ts";
import type { Database } from "../../db/database.ts";
import { takeDepositIndexes } from "../../db/backup/deposit-indexes.ts";
import { addressSpaceOf, type DepositAddress, type NetworkReader } from "../../chains/port.ts";
import type { Log } from "../../base/logging/log.ts";

/** Indexes taken from the database at once for each network, and addresses derived ahead. */
const BLOCK = 50;

type IndexedAddress = { index: bigint; address: DepositAddress };
export type DepositAddresses = {
  take(reader: NetworkReader): Promise<IndexedAddress>;
  /** Keeps one that no order got for the next order: each address that is used up is one more that its network's wallet watches. */
  release(reader: NetworkReader, address: IndexedAddress): void;
  /** Makes a network's first address, which takes some wallets seconds, before an order waits for it. */
  prepare(reader: NetworkReader): Promise<void>;
};

/**
 * Deposit addresses derived ahead of the orders that need them: deriving one takes about a millisecond. An index
 * that is lost with a process leaves a harmless gap; none is ever used twice.
 */
export function createDepositAddresses(
  database: Database,
  log: Log,
  creations: Pick<CreationSteps, "step"> = UNWATCHED,
): DepositAddresses {
  const indexes = new Map<string, bigint[]>();
  const ready = new Map<string, IndexedAddress[]>();
  const filling = new Set<string>();

  const nextIndex = async (reader: NetworkReader): Promise<bigint> => {
    const space = addressSpaceOf(reader);
    const known = indexes.get(space)?.shift();
    if (known !== undefined) return known;
    const taken = await creations.step(() => takeDepositIndexes(database, space, BLOCK));
    indexes.set(space, [...(indexes.get(space) ?? []), ...taken]);
    return nextIndex(reader);
  };

  const make = async (reader: NetworkReader): Promise<IndexedAddress> => {
    const index = await nextIndex(reader);
    return { index, address: await reader.depositAddress(index) };
  };

  const poolOf = ({ networkTitle }: NetworkReader): IndexedAddress[] => {
    const pool = ready.get(networkTitle) ?? [];
    ready.set(networkTitle, pool);
    return pool;
  };

  const fill = async (reader: NetworkReader, count: number): Promise<void> => {
    const pool = poolOf(reader);
    if (filling.has(reader.networkTitle)) return;
    filling.add(reader.networkTitle);
    try {
      while (pool.length < count) {
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
      const pool = poolOf(reader);
      const taken = pool.shift() ?? (await make(reader));
      if (pool.length < BLOCK / 2) void fill(reader, BLOCK);
      return taken;
    },
    release: (reader, address) => void poolOf(reader).unshift(address),
    prepare: (reader) => fill(reader, 1),
  };
}
