import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction, type TransactionProbe } from "../../db/transaction.ts";
import type { NetworkReader, NetworkWallet, ObservedBlock } from "../port.ts";
import { returnPaidOrders } from "./archived-deposits.ts";
import { createBalanceCheck } from "./balance-check.ts";
import { createRestoreCheck } from "./restored-network.ts";
import { recordFirstHeight } from "./unknown-payments.ts";
import type { FollowedPayments } from "./port.ts";
import type { MinDeposit } from "./recognised-deposits.ts";
import { appendBlocks, rollBack } from "./chain-tail.ts";
import { readTail, readTop, type TailBlock } from "./tail.ts";

/** Blocks that one turn handles before it yields. */
const BLOCKS_PER_TURN = 50;
const BLOCKS_BEFORE_FIRST_HEAD = 64;
/** Empty blocks that one transaction adds. */
const EMPTY_AT_ONCE = 50;

export type FollowerParts = {
  database: Database;
  reader: NetworkReader;
  /** Absent in a process that pays nothing. */
  wallet?: NetworkWallet | undefined;
  clock: Clock;
  log: Log;
  payments: FollowedPayments;
  minDeposit: MinDeposit;
  /**
   * How old the newest block of a node that has all of them may be, in milliseconds; null where blocks are made on demand. Each network
   * by its own pace (engine law 18).
   */
  oldestTipMs?: number | null;
  /** Called when blocks made jobs due that wait for confirmations. */
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
  const { database, reader, clock, log, payments, probe, oldestTipMs = null, minDeposit } = parts;
  const network = reader.networkTitle;

  const checkBalances = createBalanceCheck({ database, reader, log });
  // Asked each time: the database may fall back, and mark the network as unread, at any time while this process runs.
  const endWait = createRestoreCheck({ ...parts, oldestTipMs });

  const append = async (blocks: readonly [ObservedBlock, ...ObservedBlock[]], isTip = false): Promise<Step> => {
    const transfers = blocks.flatMap((block) => block.transfers);
    await returnPaidOrders(parts, network, transfers);
    const appended = await inTransaction(
      database,
      (transaction) =>
        appendBlocks(transaction, network, blocks, {
          at: clock.now(),
          log,
          payments,
          minDeposit,
          coin: reader.feeSlug,
        }),
      probe,
    );
    if (appended?.hasWoken === true) parts.onChange?.();
    return appended === null ? NOTHING_TO_DO : { handled: blocks.length, top: blocks.at(-1), isTip };
  };

  /** Starts far enough below the head that a reorganisation in the first minutes still finds a common block. */
  async function start(): Promise<Step> {
    const head = await reader.head();
    const block = await reader.blockAt(Math.max(0, head.height - BLOCKS_BEFORE_FIRST_HEAD));
    if (block === null) return NOTHING_TO_DO;
    await inTransaction(database, (transaction) => recordFirstHeight(transaction, network, head.height), probe);
    return append([block]);
  }

  const isOnChain = async ({ height, hash }: TailBlock): Promise<boolean> =>
    (await reader.blockAt(height))?.hash === hash;

  /** Throws while the node serves another chain than ours; payments wait until it is back, because nothing shows what became of them. */
  async function commonBlock(tail: TailBlock[]): Promise<TailBlock> {
    const oldest = tail.at(-1);
    if (oldest !== undefined && (await isOnChain(oldest)))
      for (const known of tail) if (await isOnChain(known)) return known;
    const reason = `the chain changed below the ${tail.length} stored blocks`;
    await inTransaction(database, (transaction) => payments.stop(transaction, network, reason), probe);
    throw new Error(`${network}: ${reason}; payments are stopped until the node shows block ${oldest?.hash} again`);
  }

  async function reorganise(tail: TailBlock[]): Promise<void> {
    const common = await commonBlock(tail);
    log.warn({ network, from: tail[0]?.height, to: common.height }, "the chain was reorganised; rolling back");
    await inTransaction(database, (transaction) => rollBack(transaction, network, common.height, parts), probe);
    parts.onChange?.();
  }

  /** A node that lags serves a shorter part of the same chain: nothing was undone, so the follower waits. */
  async function isBehind(tail: TailBlock[]): Promise<boolean> {
    const head = await reader.head();
    return tail.some((known) => known.height === head.height && known.hash === head.hash);
  }

  /** The empty blocks after one, which are added with it; none while orders wait for what addresses hold after each block. */
  async function emptyAfter(block: ObservedBlock): Promise<{ found: ObservedBlock[]; isTip: boolean }> {
    const found: ObservedBlock[] = [];
    if (!isEmpty(block) || (await checkBalances.isWatching())) return { found, isTip: false };
    for (let last = block; found.length < EMPTY_AT_ONCE - 1;) {
      const next = await reader.blockAt(last.height + 1);
      if (next === null) return { found, isTip: true };
      if (next.parentHash !== last.hash || !isEmpty(next)) break;
      found.push(next);
      last = next;
    }
    return { found, isTip: false };
  }

  /** After the one before, whose blocks need not be read again: whoever else adds some to them is noticed when the next is added. */
  async function step({ top: known, isTip = false }: Step): Promise<Step> {
    const top = known ?? (await readTop(database.kysely, network));
    if (top === null) return start();
    const next = isTip ? null : await reader.blockAt(top.height + 1);
    if (next !== null && next.parentHash === top.hash) {
      const after = await emptyAfter(next);
      return append([await checkBalances.check(next), ...after.found], after.isTip);
    }
    if (next === null && (await reader.blockAt(top.height))?.hash === top.hash) {
      if (await endWait(top)) parts.onChange?.();
      return NOTHING_TO_DO;
    }
    const tail = await readTail(database, network);
    if (next === null && (await isBehind(tail))) return NOTHING_TO_DO;
    await reorganise(tail);
    return { handled: 1 };
  }

  return {
    async turn() {
      let done = NOTHING_TO_DO;
      for (let handled = 0; handled < BLOCKS_PER_TURN; handled += done.handled) {
        done = await step(done);
        if (done.handled === 0) return false;
      }
      return true;
    },
  };
}

/** How many blocks a step handled, the newest stored one where it is known, and whether the node had none above it. */
type Step = { handled: number; top?: TailBlock | undefined; isTip?: boolean };
const NOTHING_TO_DO: Step = { handled: 0 };

const isEmpty = ({ transfers, sent = [] }: ObservedBlock): boolean => transfers.length === 0 && sent.length === 0;
