import { parseJsonExactly } from "../../base/json.ts";
import * as z from "zod";
import { maxOf } from "#contract/money.ts";
import { WrongChainError, type BlockRef, type Lookup } from "../port.ts";
import { MoneroRpcError, type MoneroRpc } from "./rpc.ts";
import {
  amountSchema,
  blockSchema,
  feeSchema,
  hashSchema,
  headerAnswerSchema,
  inputsSchema,
  sentSchema,
  transactionsSchema,
  type headerSchema,
} from "./schemas.ts";

/** `isInvalid`: the node has looked at the bytes and takes them neither now nor later, though nothing spends what they spend. */
type Submitted = { isAccepted: true } | { isAccepted: false; isInvalid: boolean; reason: string };

/** monerod: what is on the chain and what waits for it. Everything throws when the node fails. */
export type Daemon = {
  head(): Promise<BlockRef>;
  /** Null while the chain has no block of that height. */
  blockRefAt(height: number): Promise<BlockRef | null>;
  transactionsOf(blockHash: string): Promise<ReadonlySet<string>>;
  lookUp(txId: string): Promise<Lookup>;
  /** Those of the transactions that wait for a block. */
  inPool(txIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Submits signed bytes; bytes that it has already are accepted. */
  submit(bytes: string): Promise<Submitted>;
  /** Those key images that no transaction spends, neither in a block nor waiting for one. */
  unspent(keyImages: readonly string[]): Promise<ReadonlySet<string>>;
  /** The transactions in its pool that spend one of these key images. */
  poolSpenders(keyImages: readonly string[]): Promise<string[]>;
  /** What a transaction in a block has spent; null for one in none. */
  minedKeyImages(txId: string): Promise<{ height: number; keyImages: string[] } | null>;
  /** Minor units a byte at normal priority, and the multiple that a fee is rounded up to. */
  feeRate(): Promise<{ perByte: bigint; mask: bigint }>;
};

/** How monerod refuses a height that it has no block of. */
const TOO_HIGH = -2;
/** The index among its four fee levels, lowest first. Wallets count priorities from 1. */
const NORMAL_FEE = 1;
export const NORMAL_PRIORITY = NORMAL_FEE + 1;

const UNSPENT = 0n;
const SPENT_IN_POOL = 2n;
/** Another status means that the node was busy, not that it has looked. */
const FAILED = "Failed";
const ok = z.object({ status: z.literal("OK") });
const spentSchema = ok.extend({ spent_status: z.array(z.bigint()) });
const poolSchema = ok.extend({
  spent_key_images: z.array(z.object({ id_hash: hashSchema, txs_hashes: z.array(hashSchema) })).default([]),
});
const feesSchema = ok.extend({ fees: z.array(amountSchema).min(NORMAL_FEE + 1), quantization_mask: amountSchema });
const infoSchema = z.object({ nettype: z.string() });

/** A node of a network that is not among `nettypes` (`mainnet`, `fakechain` …) is refused. */
export function createDaemon(rpc: MoneroRpc, nettypes: readonly string[]): Daemon {
  let isChecked = false;
  const checkNetwork = async (): Promise<void> => {
    if (isChecked) return;
    const { nettype } = await rpc.call("get_info", {}, infoSchema);
    if (!nettypes.includes(nettype))
      throw new WrongChainError(`the node serves ${nettype}, not ${nettypes.join(" or ")}`);
    isChecked = true;
  };

  const blockRefAt = async (height: number): Promise<BlockRef | null> => {
    await checkNetwork();
    try {
      const { block_header } = await rpc.call("get_block_header_by_height", { height }, headerAnswerSchema);
      return refOf(block_header);
    } catch (error) {
      if (error instanceof MoneroRpcError && error.code === TOO_HIGH) return null;
      throw error;
    }
  };

  const entriesOf = async (txs_hashes: readonly string[]) => {
    const asked = { txs_hashes, decode_as_json: true, prune: true };
    return (await rpc.post("/get_transactions", asked, transactionsSchema)).txs;
  };
  const entryOf = async (txId: string) => {
    const [found] = await entriesOf([txId]);
    if (found !== undefined && found.tx_hash !== txId) throw new Error(`the node gave ${found.tx_hash} for ${txId}`);
    return found;
  };

  const withStatus = async (keyImages: readonly string[], status: bigint): Promise<ReadonlySet<string>> => {
    if (keyImages.length === 0) return new Set();
    const { spent_status } = await rpc.post("/is_key_image_spent", { key_images: keyImages }, spentSchema);
    return new Set(keyImages.filter((_, at) => spent_status[at] === status));
  };

  return {
    blockRefAt,
    head: async () => {
      await checkNetwork();
      const { block_header: header } = await rpc.call("get_last_block_header", {}, headerAnswerSchema);
      return { ...refOf(header), ...(header.timestamp !== undefined && { minedAt: header.timestamp * 1_000 }) };
    },
    transactionsOf: async (hash) => {
      const { tx_hashes, miner_tx_hash } = await rpc.call("get_block", { hash }, blockSchema);
      return new Set([...tx_hashes, miner_tx_hash]);
    },
    lookUp: async (txId) => {
      await checkNetwork();
      const found = await entryOf(txId);
      if (found === undefined) return { kind: "absent" };
      if (found.in_pool || found.block_height === undefined) return { kind: "pending" };
      const block = await blockRefAt(found.block_height);
      // Read again: a reorganisation in between would join it to a block that it is not in.
      if (block === null || (await entryOf(txId))?.block_height !== block.height) return { kind: "pending" };
      const feePaid = feeSchema.parse(parseJsonExactly(found.as_json, "bigint")).rct_signatures.txnFee;
      // A transaction of Monero that is in a block has moved its coins: none fails there.
      return { kind: "mined", height: block.height, hash: block.hash, succeeded: true, feePaid };
    },
    inPool: async (txIds) => {
      if (txIds.length === 0) return new Set();
      await checkNetwork();
      return new Set((await entriesOf(txIds)).flatMap(({ in_pool, tx_hash }) => (in_pool ? [tx_hash] : [])));
    },
    submit: async (tx_as_hex) => {
      await checkNetwork();
      const sent = await rpc.post("/send_raw_transaction", { tx_as_hex, do_sanity_checks: true }, sentSchema);
      if (sent.status === "OK") return { isAccepted: true };
      return {
        isAccepted: false,
        isInvalid: sent.status === FAILED && !sent.double_spend,
        reason: [sent.status, sent.reason, sent.double_spend && "double spend"].filter(Boolean).join(" "),
      };
    },
    unspent: async (keyImages) => withStatus(keyImages, UNSPENT),
    poolSpenders: async (keyImages) => {
      // Nearly always none is: the pool is large.
      const asked = await withStatus(keyImages, SPENT_IN_POOL);
      if (asked.size === 0) return [];
      const { spent_key_images } = await rpc.post("/get_transaction_pool", {}, poolSchema);
      const found = spent_key_images.filter(({ id_hash }) => asked.has(id_hash));
      if (found.length < asked.size) throw new Error("the node's pool changed while it was read");
      return [...new Set(found.flatMap(({ txs_hashes }) => txs_hashes))];
    },
    minedKeyImages: async (txId) => {
      await checkNetwork();
      const found = await entryOf(txId);
      if (found === undefined || found.in_pool || found.block_height === undefined) return null;
      const { vin } = inputsSchema.parse(parseJsonExactly(found.as_json, "bigint"));
      return { height: found.block_height, keyImages: vin.map(({ key }) => key.k_image) };
    },
    feeRate: async () => {
      await checkNetwork();
      const { fees, quantization_mask: mask } = await rpc.call("get_fee_estimate", {}, feesSchema);
      return { perByte: fees[NORMAL_FEE] ?? 0n, mask: maxOf(mask, 1n) };
    },
  };
}

const refOf = ({ height, hash, prev_hash }: z.infer<typeof headerSchema>): BlockRef => ({
  height,
  hash,
  parentHash: prev_hash,
});
