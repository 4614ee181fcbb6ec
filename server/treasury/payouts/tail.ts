import { TAIL_LENGTH } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";

/** The hash that the canonical tail holds at a height, if it still remembers it. */
export async function tailHashAt(database: Database, network: string, height: number): Promise<string | null> {
  const row = await database.kysely
    .selectFrom("chain_tail")
    .select("hash")
    .where("network", "=", network)
    .where("height", "=", height)
    .executeTakeFirst();
  return row?.hash ?? null;
}

/**
 * Whether a block that the network names is on our chain: it is on the tail, or below all of it, deeper than any reorganisation
 * (a process that was down for long reads on from there).
 */
export async function isCanonical(
  database: Database,
  network: string,
  block: { height: number; hash: string },
): Promise<boolean> {
  const known = await tailHashAt(database, network, block.height);
  if (known !== null) return known === block.hash;
  const tail = await database.kysely
    .selectFrom("chain_tail")
    .select((build) => [build.fn.min("height").as("lowest"), build.fn.max("height").as("tip")])
    .where("network", "=", network)
    .executeTakeFirst();
  if (tail?.lowest == null || tail.tip == null) return false;
  return block.height < tail.lowest && tail.tip - block.height >= TAIL_LENGTH;
}

export async function tipHeight(database: Database, network: string): Promise<number> {
  const row = await database.kysely
    .selectFrom("chain_tail")
    .select((build) => build.fn.max("height").as("height"))
    .where("network", "=", network)
    .executeTakeFirst();
  return row?.height ?? 0;
}
