import type { Generated, Kysely, Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Schema } from "../../db/schema.ts";

/** The rows of the chains that the sandbox plays; nothing but this folder knows them. */
type SandboxTables = {
  sandbox_networks: { network: string; seed: string; height: number; next_block_at: Date; paused: Generated<boolean> };
  sandbox_forks: { network: string; from_height: number; salt: Generated<bigint> };
  sandbox_transactions: {
    network: string;
    tx_id: string;
    seq: Generated<bigint>;
    sender: string | null;
    nonce: number | null;
    fee: bigint;
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

export type SandboxReads = Kysely<Schema & SandboxTables>;
export type SandboxWrites = Transaction<Schema & SandboxTables>;
export type NetworkRow = { height: number; paused: boolean; next_block_at: Date };

export const readsOf = (database: Database): SandboxReads => database.kysely.withTables<SandboxTables>();

/** Changes one chain: its row is locked, so that everybody who changes it takes turns, in whichever process. */
export function changing<Result>(
  database: Database,
  network: string,
  work: (writes: SandboxWrites, row: NetworkRow) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (transaction) => {
    const writes = transaction.withTables<SandboxTables>();
    const row = await writes
      .selectFrom("sandbox_networks")
      .select(["height", "paused", "next_block_at"])
      .where("network", "=", network)
      .forUpdate()
      .executeTakeFirstOrThrow();
    return work(writes, row);
  });
}
