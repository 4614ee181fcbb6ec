import { sql, type Transaction } from "kysely";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, type TransactionProbe } from "../../db/transaction.ts";
import type { NetworkReader, ObservedTransfer } from "../port.ts";
import { readTip } from "./tail.ts";
import { lockTail } from "./chain-tail.ts";
import { chunksOf } from "./chunks.ts";
import { recogniseWaiting, type RecognisedDeposit } from "./recognised-deposits.ts";

/** Transfers that one statement looks up or stores: PostgreSQL takes 65,535 parameters. */
const CHUNK = 1_000;
/** A node that hangs is asked anew after this, whatever its driver allows. */
const TIMEOUT_MS = 30_000;

export type MempoolWatchParts = {
  database: Database;
  reader: NetworkReader;
  clock: Clock;
  log: Log;
  /** Called after deposits changed, to wake the jobs that wait for them. */
  onChange?: () => void;
  probe?: TransactionProbe;
};

export type MempoolWatch = {
  /** Brings the stored deposits up to the node's mempool. Throws when the node doesn't answer. */
  turn(): Promise<void>;
};

/** Watches one network's mempool; null where a network has none that can be read. What it stores is never credited (engine law 7). */
export function createMempoolWatch(parts: MempoolWatchParts): MempoolWatch | null {
  const { database, reader, clock, probe } = parts;
  const network = reader.networkTitle;
  /** Whether rows may be marked as in the mempool: without such rows and without transfers there is nothing to do. */
  let hasRows = true;

  const readMempool = async (): Promise<ObservedTransfer[]> => {
    const timeout = Promise.withResolvers<null>();
    const timer = setTimeout(() => timeout.resolve(null), TIMEOUT_MS);
    try {
      const read = await Promise.race([reader.mempool?.(() => lastIndexOf(database, network)), timeout.promise]);
      if (read === null) throw new Error(`${network}: the mempool was not read within ${TIMEOUT_MS} ms`);
      return read ?? [];
    } finally {
      clearTimeout(timer);
    }
  };

  return reader.mempool === undefined
    ? null
    : {
        async turn() {
          const transfers = await readMempool();
          if (transfers.length === 0 && !hasRows) return;
          // After the mempool: what has left it until then may be in a block up to here.
          const { height } = await reader.head();
          const seen = { network, transfers, height, at: clock.now() };
          const stored = await inTransaction(database, (transaction) => storeMempool(transaction, seen), probe);
          hasRows = stored.isAnyWaiting;
          if (stored.hasChanged) parts.onChange?.();
        },
      };
}

async function lastIndexOf(database: Database, network: string): Promise<bigint> {
  const row = await database.kysely
    .selectFrom("deposit_addresses")
    .select("derivation_index")
    .where("network", "=", network)
    .orderBy("derivation_index", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.derivation_index ?? 0n;
}

type Changed = { order_id: string | null; exchange_id: bigint | null };

type SeenMempool = { network: string; transfers: ObservedTransfer[]; height: number; at: Date };

/**
 * Marks what waits for a block, and unmarks what does no longer once the blocks up to `height` were read: until then it may be in one of
 * them, and its order would lose sight of it. A deposit that a block has taken stays as it is.
 */
async function storeMempool(
  transaction: Transaction<Schema>,
  { network, transfers, height, at }: SeenMempool,
): Promise<{ hasChanged: boolean; isAnyWaiting: boolean }> {
  await lockTail(transaction, network);
  const keys: string[] = [];
  const changed: Changed[] = [];
  for (const some of chunksOf(transfers, CHUNK)) {
    const waiting = await recogniseWaiting(transaction, network, some, at);
    keys.push(...[...waiting.fresh, ...waiting.others].map(keyOf));
    if (waiting.fresh.length > 0) changed.push(...(await mark(transaction, waiting.fresh)));
    if (waiting.others.length > 0) changed.push(...(await markKnown(transaction, network, waiting.others)));
  }
  const tip = await readTip(transaction, network);
  const isRead = tip !== null && tip >= height;
  if (isRead) for (const row of await unmark(transaction, network, keys, at)) changed.push(row);
  await wakeChanged(transaction, changed);
  const isAnyWaiting = keys.length > 0 || (!isRead && (await isAnyMarked(transaction, network)));
  return { hasChanged: changed.length > 0, isAnyWaiting };
}

const isAnyMarked = async (transaction: Transaction<Schema>, network: string): Promise<boolean> =>
  (await transaction
    .selectFrom("deposits")
    .select("id")
    .where("network", "=", network)
    .where("in_mempool", "=", true)
    .limit(1)
    .executeTakeFirst()) !== undefined;

const keyOf = ({ tx_id, output_index }: RecognisedDeposit): string => `${tx_id}:${output_index}`;

const unmark = (
  transaction: Transaction<Schema>,
  network: string,
  keys: readonly string[],
  at: Date,
): Promise<Changed[]> =>
  transaction
    .updateTable("deposits")
    .set({ in_mempool: false, gone_since: at })
    .where("network", "=", network)
    .where("in_mempool", "=", true)
    .where(sql<boolean>`tx_id || ':' || output_index <> all (${[...keys]}::text[])`)
    .returning(["order_id", "exchange_id"])
    .execute();

/** A deposit keeps the time when it was first seen. */
const mark = (transaction: Transaction<Schema>, waiting: readonly RecognisedDeposit[]): Promise<Changed[]> =>
  transaction
    .insertInto("deposits")
    .values(waiting.map((row) => ({ ...row, block_height: null, block_hash: null, in_mempool: true })))
    .onConflict((conflict) =>
      conflict
        .columns(["network", "tx_id", "output_index"])
        .doUpdateSet({ in_mempool: true, gone_since: null })
        .where("deposits.block_height", "is", null)
        .where("deposits.in_mempool", "=", false),
    )
    .returning(["order_id", "exchange_id"])
    .execute();

/** Those among them that a block had before are in the mempool again; a mempool adds none of them. */
const markKnown = (
  transaction: Transaction<Schema>,
  network: string,
  waiting: readonly RecognisedDeposit[],
): Promise<Changed[]> =>
  transaction
    .updateTable("deposits")
    .set({ in_mempool: true, gone_since: null })
    .where("network", "=", network)
    .where(sql<boolean>`tx_id = any(${[...new Set(waiting.map(({ tx_id }) => tx_id))]}::text[])`)
    .where(sql<boolean>`tx_id || ':' || output_index = any(${waiting.map(keyOf)}::text[])`)
    .where("block_height", "is", null)
    .where("in_mempool", "=", false)
    .returning(["order_id", "exchange_id"])
    .execute();

async function wakeChanged(transaction: Transaction<Schema>, changed: readonly Changed[]): Promise<void> {
  const orders = changed.flatMap(({ order_id }) => order_id ?? []);
  const exchanges = changed.flatMap(({ exchange_id }) => exchange_id ?? []);
  // One parameter each: a node that forgets its mempool changes everything that waited there at once.
  await sql`update orders set next_attempt_at = now() where id = any(${orders}::text[])`.execute(transaction);
  await sql`update partner_exchanges set next_attempt_at = now() where id = any(${exchanges}::bigint[])`.execute(
    transaction,
  );
}
