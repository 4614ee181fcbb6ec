import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction, type TransactionProbe } from "../../db/transaction.ts";
import type { NetworkReader, ObservedBlock } from "../port.ts";
import { createBalanceCheck } from "./balance-check.ts";
import { recordFirstHeight } from "./unknown-payments.ts";
import { appendBlock, readTail, rollBack, type TailBlock } from "./chain-tail.ts";
import { stopPayments } from "./reorganisation.ts";

/** Blocks that one turn handles before it yields. */
const BLOCKS_PER_TURN = 50;
const BLOCKS_BEFORE_FIRST_HEAD = 64;

export type FollowerParts = {
  database: Database;
  reader: NetworkReader;
  clock: Clock;
  log: Log;
  /** Called after blocks changed, to wake the jobs that wait for confirmations. */
  onChange?: () => void;
  probe?: TransactionProbe;
};

export type Follower = {
  /** Brings the stored tail up to the node's head; true when there is more to do at once. Throws when the node doesn't answer. */
  turn(): Promise<boolean>;
};

/**
 * Follows one network's canonical chain with a stored tail of (height, hash, parent). Confirmations are counted on that
 * tail; on a parent mismatch it is rolled back to the last common block, and the blocks above are observed again (engine law 8).
 */
export function createFollower(parts: FollowerParts): Follower {
  const { database, reader, clock, log, probe } = parts;
  const network = reader.networkTitle;

  const checkBalances = createBalanceCheck({ database, reader, log });

  const append = (block: ObservedBlock) =>
    inTransaction(database, (transaction) => appendBlock(transaction, network, block, clock.now(), log), probe);

  /** Starts far enough below the head that a reorganisation in the first minutes still finds a common block. */
  async function start(): Promise<boolean> {
    const head = await reader.head();
    const block = await reader.blockAt(Math.max(0, head.height - BLOCKS_BEFORE_FIRST_HEAD));
    if (block === null) return false;
    await inTransaction(database, (transaction) => recordFirstHeight(transaction, network, head.height), probe);
    return append(block);
  }

  const isOnChain = async ({ height, hash }: TailBlock): Promise<boolean> =>
    (await reader.blockAt(height))?.hash === hash;

  /** Throws while the node serves another chain than ours; payments wait until it is back, because nothing shows what became of them. */
  async function commonBlock(tail: TailBlock[]): Promise<TailBlock> {
    const oldest = tail.at(-1);
    if (oldest !== undefined && (await isOnChain(oldest)))
      for (const known of tail) if (await isOnChain(known)) return known;
    const reason = `the chain changed below the ${tail.length} stored blocks`;
    await inTransaction(database, (transaction) => stopPayments(transaction, network, reason), probe);
    throw new Error(`${network}: ${reason}; payments are stopped until the node shows block ${oldest?.hash} again`);
  }

  async function reorganise(tail: TailBlock[]): Promise<void> {
    const common = await commonBlock(tail);
    log.warn({ network, from: tail[0]?.height, to: common.height }, "the chain was reorganised; rolling back");
    await inTransaction(database, (transaction) => rollBack(transaction, network, common.height, log), probe);
  }

  /** A node that lags serves a shorter part of the same chain: nothing was undone, so the follower waits. */
  async function isBehind(tail: TailBlock[]): Promise<boolean> {
    const head = await reader.head();
    return tail.some((known) => known.height === head.height && known.hash === head.hash);
  }

  async function step(): Promise<boolean> {
    const tail = await readTail(database, network);
    const top = tail[0];
    if (top === undefined) return start();
    const next = await reader.blockAt(top.height + 1);
    if (next !== null && next.parentHash === top.hash) return append(await checkBalances(next));
    if (next === null && ((await reader.blockAt(top.height))?.hash === top.hash || (await isBehind(tail))))
      return false;
    await reorganise(tail);
    return true;
  }

  return {
    async turn() {
      for (let handled = 0; handled < BLOCKS_PER_TURN; handled += 1) {
        if (!(await step())) return false;
        parts.onChange?.();
      }
      return true;
    },
  };
}
