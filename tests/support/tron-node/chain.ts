import { DAY_MS } from "#contract/durations.ts";
import { createHash } from "node:crypto";
import { recoverAddress } from "viem";
import { execute, ownerOf, Refused, type Execution } from "./execution.ts";
import { encodeRaw, type RawTransaction } from "./protobuf.ts";
import { copyOf, type State } from "./state.ts";

export type SentTransaction = { txID: string; raw: RawTransaction; signature: string };
export type Block = {
  height: number;
  hash: string;
  parentHash: string;
  timestamp: number;
  transactions: (SentTransaction & { execution: Execution })[];
  /** What is held after it. */
  state: State;
};

export type Pace = {
  blockMs: number;
  /** Blocks on top of one that make it final. */
  solidLag: number;
};

/** The network's own: a block is final when 19 of 27 producers have built on it. */
const PACE: Pace = { blockMs: 3_000, solidLag: 19 };

const FIRST_MS = Date.UTC(2026, 0, 1);
const FIRST_PARENT = "e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f";

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/** The chain of a TRON node in memory, whose blocks are produced on demand. Its clock is that of its blocks. */
export class TronChain {
  readonly blocks: Block[] = [];
  pending: SentTransaction[] = [];
  readonly #pace: Pace;
  #salt = 0;

  constructor(genesis: State, pace: Pace = PACE) {
    this.#pace = pace;
    this.#append({ height: 0, parentHash: FIRST_PARENT, timestamp: FIRST_MS }, [], genesis);
  }

  get head(): Block {
    return this.#at(this.blocks.length - 1);
  }

  get solid(): Block {
    return this.#at(Math.max(0, this.blocks.length - 1 - this.#pace.solidLag));
  }

  /** Produces blocks; the first of them takes all that wait and that it may take. */
  mine(count = 1): void {
    for (let block = 0; block < count; block += 1) {
      const parent = this.head;
      const state = copyOf(parent.state);
      const transactions = this.pending.splice(0).flatMap((sent) => {
        if (sent.raw.expiration <= parent.timestamp) return [];
        try {
          return [{ ...sent, execution: execute(state, sent.raw, sizeOf(sent.raw)) }];
        } catch (error) {
          if (error instanceof Refused) return [];
          throw error;
        }
      });
      const timestamp = parent.timestamp + this.#pace.blockMs;
      this.#append({ height: parent.height + 1, parentHash: parent.hash, timestamp }, transactions, state);
    }
  }

  /** Replaces blocks that are not final by empty ones; what they held is gone, as after a fork in which it came too late. */
  fork(depth: number): void {
    if (depth > this.#pace.solidLag) throw new Error("a solidified block can't be taken back");
    this.blocks.splice(this.blocks.length - depth, depth);
    this.#salt += 1;
    this.pending = [];
    this.mine(depth + 1);
  }

  /** Takes a transaction as the node does; throws `Refused` with the code of `/wallet/broadcasttransaction`. */
  async accept(raw: RawTransaction, signature: string): Promise<string> {
    const txID = sha256(encodeRaw(raw));
    if (!(await isSignedByOwner(txID, raw, signature))) throw new Refused("SIGERROR", "Validate signature error");
    if (this.pending.some((sent) => sent.txID === txID) || this.find(txID) !== null)
      throw new Refused("DUP_TRANSACTION_ERROR", "Dup transaction.");
    const now = this.head.timestamp;
    if (raw.expiration <= now || raw.expiration > now + DAY_MS)
      throw new Refused("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
    if (!this.#knowsReference(raw)) throw new Refused("TAPOS_ERROR", "Tapos check error.");
    const tried = copyOf(this.head.state);
    for (const sent of this.pending) execute(tried, sent.raw, sizeOf(sent.raw));
    execute(tried, raw, sizeOf(raw));
    this.pending.push({ txID, raw, signature });
    return txID;
  }

  find(txID: string, upTo = this.head.height): { block: Block; at: number } | null {
    for (const block of this.blocks.slice(0, upTo + 1)) {
      const at = block.transactions.findIndex((transaction) => transaction.txID === txID);
      if (at >= 0) return { block, at };
    }
    return null;
  }

  #knowsReference({ ref_block_bytes, ref_block_hash }: RawTransaction): boolean {
    const named = Number.parseInt(ref_block_bytes, 16);
    const recent = this.blocks.slice(-0x1_0000);
    return recent.some(({ height, hash }) => (height & 0xffff) === named && hash.slice(16, 32) === ref_block_hash);
  }

  #append(ref: Pick<Block, "height" | "parentHash" | "timestamp">, transactions: Block["transactions"], state: State) {
    const content = JSON.stringify([ref, transactions.map(({ txID }) => txID), this.#salt]);
    const hash = ref.height.toString(16).padStart(16, "0") + sha256(content).slice(16);
    this.blocks.push({ ...ref, hash, transactions, state });
  }

  #at(height: number): Block {
    const block = this.blocks[height];
    if (block === undefined) throw new Error(`there is no block ${height}`);
    return block;
  }
}

/** The bytes of the transaction with its signature, which are what bandwidth is counted by. */
export const sizeOf = (raw: RawTransaction): number => encodeRaw(raw).length + 3 + 67 + 64;

async function isSignedByOwner(txID: string, raw: RawTransaction, signature: string): Promise<boolean> {
  if (!/^[0-9a-f]{130}$/i.test(signature)) return false;
  const signer = await recoverAddress({ hash: `0x${txID}`, signature: `0x${signature}` });
  return signer.slice(2).toLowerCase() === ownerOf(raw);
}
