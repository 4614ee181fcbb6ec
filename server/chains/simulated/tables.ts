import type { Generated, Kysely, Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";

/** The rows of the simulated chains; only this folder uses them. */
type ChainTables = {
  sandbox_networks: {
    network: string;
    seed: string;
    height: number;
    next_block_at: Date;
    paused: Generated<boolean>;
    fee_percent: Generated<number>;
  };
  sandbox_forks: { network: string; from_height: number; salt: Generated<bigint> };
  sandbox_transactions: {
    network: string;
    tx_id: string;
    seq: Generated<bigint>;
    sender: string | null;
    nonce: number | null;
    fee: bigint;
    /** Null where it comes from outside: every block takes it. */
    fee_percent: number | null;
    block_height: number | null;
  };
  sandbox_outputs: {
    network: string;
    tx_id: string;
    output_index: number;
    address: string;
    memo: string | null;
    slug: string;
    amount: bigint;
    spent_by: string | null;
  };
  sandbox_debits: { network: string; tx_id: string; address: string; slug: string; amount: bigint };
  sandbox_balances: { network: string; address: string; slug: string; amount: bigint };
};

export type ChainDatabase = Kysely<Schema & ChainTables>;
export type ChainTransaction = Transaction<Schema & ChainTables>;
export type NetworkRow = {
  height: number;
  paused: boolean;
  next_block_at: Date;
  /** What blocks ask for, in percent of the usual fee. */
  fee_percent: number;
};

export const chainDatabase = (database: Database): ChainDatabase => database.kysely.withTables<ChainTables>();

/** Changes one chain with its row locked, so that changes from all processes are serialised. */
export function withChainLock<Result>(
  database: Database,
  network: string,
  work: (writes: ChainTransaction, row: NetworkRow) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (transaction) => {
    const writes = transaction.withTables<ChainTables>();
    const row = await writes
      .selectFrom("sandbox_networks")
      .select(["height", "paused", "next_block_at", "fee_percent"])
      .where("network", "=", network)
      .forUpdate()
      .executeTakeFirstOrThrow();
    return work(writes, row);
  });
}

/** The nonce that comes after the mined ones. */
export async function nextNonce(
  reads: Pick<ChainTransaction, "selectFrom">,
  network: string,
  sender: string,
): Promise<number> {
  const newest = await reads
    .selectFrom("sandbox_transactions")
    .select("nonce")
    .where("network", "=", network)
    .where("sender", "=", sender)
    .where("nonce", "is not", null)
    .where("block_height", "is not", null)
    .orderBy("nonce", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.nonce == null ? 0 : newest.nonce + 1;
}

type Fees = Promise<ReadonlyMap<string, number>>;

const reading = new WeakMap<Database, Fees>();

/** What blocks of a network ask for, in percent of the usual fee. Every network is asked at once for each price: that is one statement. */
export async function readFeePercent(database: Database, network: string): Promise<number> {
  const shared = reading.get(database) ?? share(database);
  const percent = (await shared).get(network);
  if (percent === undefined) throw new Error(`${network} is not simulated in this database`);
  return percent;
}

/** Read after the calls of this moment, so that each gets what was true when it asked. */
function share(database: Database): Fees {
  const read = Promise.resolve().then(async () => {
    reading.delete(database);
    const rows = await chainDatabase(database)
      .selectFrom("sandbox_networks")
      .select(["network", "fee_percent"])
      .execute();
    return new Map(rows.map((row) => [row.network, row.fee_percent]));
  });
  reading.set(database, read);
  return read;
}
