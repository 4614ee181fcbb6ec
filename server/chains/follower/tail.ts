import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { TAIL_LENGTH } from "../port.ts";

type Reads = Pick<Transaction<Schema>, "selectFrom">;

export type TailBlock = { height: number; hash: string };

/** The stored blocks of a network, newest first. */
export function readTail(database: Database, network: string): Promise<TailBlock[]> {
  return database.kysely
    .selectFrom("chain_tail")
    .select(["height", "hash"])
    .where("network", "=", network)
    .orderBy("height", "desc")
    .execute();
}

/** The newest stored block; null before the first one. */
export const readTop = async (db: Reads, network: string): Promise<TailBlock | null> =>
  (await db
    .selectFrom("chain_tail")
    .select(["height", "hash"])
    .where("network", "=", network)
    .orderBy("height", "desc")
    .limit(1)
    .executeTakeFirst()) ?? null;

/** Its height. */
export const readTip = async (db: Reads, network: string): Promise<number | null> =>
  (await readTop(db, network))?.height ?? null;

/** Those of several networks; one without blocks has none. */
export async function readTips(db: Database["kysely"], networks: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ network: string; height: number | null }>`
    select network, (select t.height from chain_tail t where t.network = asked.network order by t.height desc limit 1) as height
    from unnest(${[...networks]}::text[]) as asked (network)`.execute(db);
  return new Map(rows.flatMap(({ network, height }) => (height === null ? [] : [[network, height] as const])));
}

/** Confirmations on the canonical tail: tip − height + 1 (engine law 8). */
export const confirmationsAt = (tip: number | null, height: number | null): number =>
  tip === null || height === null ? 0 : Math.max(0, tip - height + 1);

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
