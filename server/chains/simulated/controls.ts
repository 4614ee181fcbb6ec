import { CodedError } from "#contract/errors.ts";
import { mineBlocks, replaceBlocks } from "./blocks.ts";
import { admit, dropTransactions } from "./mempool.ts";
import { catchUp, mineDue, type NodeParts, readState } from "./node.ts";
import { withChainLock, type NetworkRow, type ChainTransaction } from "./tables.ts";
import { transactionId } from "./transaction.ts";
import { randomHex } from "../../base/secrets.ts";

type OutsidePayment = { address: string; memo: string | null; slug: string; amount: bigint };

/** What others do on the chain: payments, blocks, forks. */
export type SimulatedControls = {
  /** Pays an address from outside; the payment waits for the next block. */
  pay(payment: OutsidePayment): Promise<{ txId: string }>;
  mine(blocks: number): Promise<void>;
  /** Pauses or resumes the clock; nodes still answer and `mine` still mines. */
  setPaused(paused: boolean): Promise<void>;
  /** Replaces the newest blocks by empty ones. Their transactions wait for the next block, as in a real mempool, or are dropped. */
  reorg(depth: number, transactions?: "requeued" | "dropped"): Promise<void>;
  /** Drops an unmined transaction and those that spend its outputs. False when there is none. */
  evict(txId: string): Promise<boolean>;
  /** Sets what blocks ask for, in percent of the usual fee: payments that offer less wait. */
  setFees(percent: number): Promise<void>;
  height(): Promise<number>;
  isPaused(): Promise<boolean>;
};

export function createControls(parts: NodeParts): SimulatedControls {
  const { database, network, profile } = parts;
  const change = <Result>(work: (writes: ChainTransaction, row: NetworkRow) => Promise<Result>): Promise<Result> =>
    withChainLock(database, network, async (writes, row) => work(writes, await mineDue(writes, parts, row)));

  return {
    pay: async ({ address, memo, slug, amount }) => {
      const txId = transactionId(network, randomHex(32));
      const outputs = [{ address, memo, slug, amount }];
      await change((writes) =>
        admit(writes, network, { txId, sender: null, nonce: null, fee: 0n, outputs, debits: [] }),
      );
      return { txId };
    },
    mine: (blocks) => change(async (writes, row) => void (await mineBlocks(writes, network, row, blocks))),
    setPaused: (paused) =>
      change(async (writes) => {
        const next_block_at = new Date(parts.now() + profile.blockMs);
        await writes
          .updateTable("sandbox_networks")
          .set({ paused, next_block_at })
          .where("network", "=", network)
          .execute();
      }),
    reorg: (depth, transactions = "requeued") =>
      change(async (writes, row) => {
        if (depth >= row.height)
          throw new CodedError("ERR_UNPROCESSABLE_ENTITY", `${network} has only ${row.height} blocks`);
        await replaceBlocks(writes, network, row, depth, transactions);
      }),
    evict: (txId) =>
      change(async (writes) => {
        const waiting = await writes
          .selectFrom("sandbox_transactions")
          .select("tx_id")
          .where("network", "=", network)
          .where("tx_id", "=", txId)
          .where("block_height", "is", null)
          .executeTakeFirst();
        if (waiting !== undefined) await dropTransactions(writes, network, [txId]);
        return waiting !== undefined;
      }),
    setFees: (fee_percent) =>
      change(async (writes) => {
        await writes.updateTable("sandbox_networks").set({ fee_percent }).where("network", "=", network).execute();
      }),
    height: async () => (await catchUp(parts)).height,
    isPaused: async () => (await readState(parts)).paused,
  };
}
