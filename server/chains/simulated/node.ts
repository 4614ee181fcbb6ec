import type { Database } from "../../db/database.ts";
import type { BlockRef, BroadcastResult, Lookup, ObservedBlock, ObservedTransfer, PreparedPayment } from "../port.ts";
import { mineBlocks } from "./blocks.ts";
import { accept, isOpened, RejectedError } from "./mempool.ts";
import type { Profile } from "./profiles.ts";
import {
  nextNonce,
  readFeePercent,
  withChainLock,
  chainDatabase,
  type NetworkRow,
  type ChainTransaction,
} from "./tables.ts";
import { blockHash, readTransaction } from "./transaction.ts";
import { readView, type View } from "./views.ts";

/** The node of a chain: what a reader and a wallet know of it, and where faults are injected. */
export type SimulatedNode = {
  head(): Promise<BlockRef>;
  blockAt(height: number): Promise<ObservedBlock | null>;
  /** What no block has taken yet. */
  mempool(): Promise<ObservedTransfer[]>;
  submit(prepared: PreparedPayment): Promise<BroadcastResult>;
  lookup(txId: string): Promise<Lookup>;
  /** What blocks ask for, in percent of a payment's usual fee. */
  feePercent(): Promise<number>;
  balance(address: string, slug: string): Promise<bigint>;
  /** Whether a block has ever paid to an address. */
  exists(address: string): Promise<boolean>;
  /** The nonce that comes after the mined ones. */
  nextNonce(sender: string): Promise<number>;
  /** Outputs of an address that are in a block and that nothing spends, the smallest first. */
  unspent(address: string, slug: string): Promise<Unspent[]>;
};

export type Unspent = { txId: string; outputIndex: number; amount: bigint };

export type NodeParts = {
  database: Database;
  network: string;
  seed: string;
  profile: Profile;
  /** The chain's own clock, in milliseconds; the business clock never moves it (contract §7). */
  now: () => number;
  /** Called with each state that the node reads. */
  onState?: (state: ChainState) => void;
};

/** A chain that misses more blocks than these was read by nobody: it goes on with one, not with all that it missed. */
const MAX_MISSED_BLOCKS = 3;
/** A next block that is due so much later than one block from now was planned by a clock that was wrong: the chain would stand until then. */
const MAX_AHEAD_MS = 60_000;

export type ChainState = { height: number; paused: boolean; fee_percent: number };

/** The state of the chain as its last block left it. */
export const readState = ({ database, network }: NodeParts): Promise<NetworkRow> =>
  chainDatabase(database)
    .selectFrom("sandbox_networks")
    .select(["height", "paused", "next_block_at", "fee_percent"])
    .where("network", "=", network)
    .executeTakeFirstOrThrow();

/**
 * Mines the blocks that are due and returns the state of the chain. Any process may do it; one does. Only who reads blocks makes them:
 * each one costs its followers several transactions, and an idle chain would never rest.
 */
export async function catchUp(parts: NodeParts): Promise<ChainState> {
  return catchUpFrom(parts, await readState(parts));
}

async function catchUpFrom(parts: NodeParts, row: NetworkRow): Promise<Mined> {
  const { database, network, now } = parts;
  if (dueBlocks(parts, row, now()) === 0) return row;
  return withChainLock(database, network, (writes, locked) => mineDue(writes, parts, locked));
}

/** With the height above which the blocks that were just mined are empty. */
type Mined = NetworkRow & { emptyAbove?: number };

/** The same inside a change that is under way already. */
export async function mineDue(writes: ChainTransaction, parts: NodeParts, row: NetworkRow): Promise<Mined> {
  const { network, profile } = parts;
  const now = parts.now();
  const due = dueBlocks(parts, row, now);
  if (due === 0) return row;
  const count = due > MAX_MISSED_BLOCKS ? 1 : due;
  const taken = await mineBlocks(writes, network, row, count);
  const onTime = row.next_block_at.getTime() + count * profile.blockMs;
  const next_block_at = new Date(due > count ? now + profile.blockMs : onTime);
  await writes.updateTable("sandbox_networks").set({ next_block_at }).where("network", "=", network).execute();
  const emptyAbove = taken === 0 ? row.height : row.height + 1;
  return { ...row, height: row.height + count, next_block_at, emptyAbove };
}

function dueBlocks({ profile }: NodeParts, { paused, next_block_at }: NetworkRow, now: number): number {
  const late = now - next_block_at.getTime();
  if (!paused && late < -(profile.blockMs + MAX_AHEAD_MS)) return MAX_MISSED_BLOCKS + 1;
  return paused || late < 0 ? 0 : Math.floor(late / profile.blockMs) + 1;
}

/** A node without faults. */
export function createNode(parts: NodeParts): SimulatedNode {
  const { database, network, seed, profile } = parts;
  const reads = chainDatabase(database);

  const refOf = (height: number, forks: View["forks"]): BlockRef => {
    const hashAt = (at: number): string =>
      blockHash(network, seed, at, forks.find(({ from }) => from <= at)?.salt ?? 0n);
    return { height, hash: hashAt(height), parentHash: hashAt(height - 1) };
  };
  const refAt = async (height: number): Promise<BlockRef> => refOf(height, (await readView(parts, height)).forks);

  /** What a block moves; with null, what waits for one. */
  const transfersAt = async (height: number | null): Promise<ObservedTransfer[]> => {
    const outputs = await reads
      .selectFrom("sandbox_transactions")
      .innerJoin("sandbox_outputs", (join) =>
        join
          .onRef("sandbox_outputs.network", "=", "sandbox_transactions.network")
          .onRef("sandbox_outputs.tx_id", "=", "sandbox_transactions.tx_id"),
      )
      .select(["sandbox_outputs.tx_id", "output_index", "address", "memo", "slug", "amount"])
      .where("sandbox_transactions.network", "=", network)
      .where("block_height", height === null ? "is" : "=", height)
      .orderBy("seq")
      .orderBy("output_index")
      .execute();
    return outputs.map((row) => ({
      txId: row.tx_id,
      outputIndex: row.output_index,
      toAddress: row.address,
      slug: row.slug,
      amount: row.amount,
      ...(profile.hasMemos && { memo: row.memo }),
    }));
  };

  /** A chain that nobody follows rests: its blocks are made when its next block is asked for. */
  const head = async (): Promise<BlockRef> => {
    const view = await readView(parts, null);
    if (dueBlocks(parts, view, parts.now()) > MAX_MISSED_BLOCKS) return refOf(view.height, view.forks);
    // No fork begins above the blocks that there are: those that are mined now follow them.
    return refOf((await catchUpFrom(parts, view)).height, view.forks);
  };

  // A fork may happen between the two queries: the hash that was read first is then of a replaced block, which a follower notices.
  const blockAt = async (height: number): Promise<ObservedBlock | null> => {
    const view = await readView(parts, height);
    const state = await catchUpFrom(parts, view);
    if (height < 0 || height > state.height) return null;
    const isKnownEmpty = state.height === view.height || height > (state.emptyAbove ?? state.height);
    const mayHaveTransfers = view.has_transactions || !isKnownEmpty;
    return { ...refOf(height, view.forks), transfers: mayHaveTransfers ? await transfersAt(height) : [] };
  };

  const submit = async (prepared: PreparedPayment): Promise<BroadcastResult> => {
    try {
      const body = readTransaction(seed, prepared);
      if (body.network !== network) throw new RejectedError(`this is ${network}, not ${body.network}`);
      await withChainLock(database, network, async (writes, row) => {
        await mineDue(writes, parts, row);
        await accept(writes, prepared.txId, body, profile);
      });
      return { kind: "accepted" };
    } catch (error) {
      return { kind: "unknown", reason: error instanceof Error ? error.message : String(error) };
    }
  };

  const lookup = async (txId: string): Promise<Lookup> => {
    const found = await reads
      .selectFrom("sandbox_transactions")
      .select(["block_height", "fee"])
      .where("network", "=", network)
      .where("tx_id", "=", txId)
      .executeTakeFirst();
    if (found === undefined) return { kind: "absent" };
    if (found.block_height === null) return { kind: "pending" };
    const { block_height: height, fee } = found;
    return { kind: "mined", height, hash: (await refAt(height)).hash, succeeded: true, feePaid: fee };
  };

  return {
    head,
    blockAt,
    mempool: () => transfersAt(null),
    submit,
    lookup,
    feePercent: () => readFeePercent(database, network),
    balance: async (address, slug) => {
      const row = await reads
        .selectFrom("sandbox_balances")
        .select("amount")
        .where("network", "=", network)
        .where("address", "=", address)
        .where("slug", "=", slug)
        .executeTakeFirst();
      return row?.amount ?? 0n;
    },
    exists: (address) => isOpened(reads, network, address),
    nextNonce: (sender) => nextNonce(reads, network, sender),
    unspent: async (address, slug) => {
      const rows = await reads
        .selectFrom("sandbox_outputs")
        .innerJoin("sandbox_transactions", (join) =>
          join
            .onRef("sandbox_transactions.network", "=", "sandbox_outputs.network")
            .onRef("sandbox_transactions.tx_id", "=", "sandbox_outputs.tx_id"),
        )
        .select(["sandbox_outputs.tx_id", "output_index", "amount"])
        .where("sandbox_outputs.network", "=", network)
        .where("address", "=", address)
        .where("slug", "=", slug)
        .where("spent_by", "is", null)
        .where("block_height", "is not", null)
        .orderBy("amount")
        .execute();
      return rows.map((row) => ({ txId: row.tx_id, outputIndex: row.output_index, amount: row.amount }));
    },
  };
}
