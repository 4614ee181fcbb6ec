import type { Lookup, Moved, PreparedPayment } from "../port.ts";
import { succeeded, readSolidRef, readTransferLog } from "./blocks.ts";
import { readTransferCall } from "./contract-calls.ts";
import type { TronRpc } from "./rpc.ts";
import {
  fullBlockSchema,
  infoOrNothingSchema,
  knownSchema,
  sentSchema,
  type TronBlock,
  type TronBlockRef,
  type TronInfo,
} from "./schemas.ts";
import { readSigned, type SignedTransaction } from "./transaction.ts";

/** A transaction names its reference block by the two last bytes of the height. */
const REFERENCE_HEIGHTS = 0x1_0000;

/**
 * The state of a transaction of ours. One in a block that isn't final yet is still pending. A token's transfer has succeeded only where its
 * contract says so: some return false instead of failing, or keep a part.
 */
export async function lookUp(http: TronRpc, txId: string): Promise<Lookup> {
  const info = await http.call("walletsolidity/gettransactioninfobyid", { value: txId }, infoOrNothingSchema);
  if (info !== null) {
    if (info.id !== txId) throw new Error(`the node answered ${info.id} for ${txId}`);
    const block = await readSolidRef(http, info.blockNumber);
    if (block === null) throw new Error(`the node has no block ${info.blockNumber}, where ${txId} is`);
    const mined = { kind: "mined", height: block.height, hash: block.hash, feePaid: info.fee } as const;
    const short = succeeded(info) ? await movedLess(http, info) : NOTHING;
    if (short === null) return { ...mined, succeeded: true };
    return { ...mined, succeeded: false, ...(short.spent > 0n && { moved: short }) };
  }
  const inBlock = await http.call("wallet/gettransactionbyid", { value: txId }, knownSchema);
  if (inBlock !== null) return { kind: "pending" };
  const waiting = await http.call("wallet/gettransactionfrompending", { value: txId }, knownSchema);
  return waiting === null ? { kind: "absent" } : { kind: "pending" };
}

const NOTHING: Moved = { spent: 0n, arrived: 0n };

/** What the logs show of a token's transfer that was not made in full; null where it was, and for what asks for none. */
async function movedLess(http: TronRpc, { id, log }: TronInfo): Promise<Moved | null> {
  const sent = await http.call("walletsolidity/gettransactionbyid", { value: id }, sentSchema);
  const asked = readTransferCall(sent.raw_data.contract[0]);
  if (asked === null) return null;
  const amounts = (isCounted: (to: string) => boolean) =>
    log.flatMap((one) => {
      const transfer = one.address === asked.contract ? readTransferLog(one) : null;
      return transfer !== null && transfer.from === asked.from && isCounted(transfer.to) ? [transfer.amount] : [];
    });
  const arrived = amounts((to) => to === asked.to);
  if (arrived.some((amount) => amount >= asked.amount)) return null;
  const sum = (of: bigint[]) => of.reduce((total, amount) => total + amount, 0n);
  return { spent: sum(amounts(() => true)), arrived: sum(arrived) };
}

/**
 * The hash of the solidified block at `height` when the chain up to it proves that a transaction can't take effect any more: no block
 * takes one that expired by the time of the block before it, and no block that might have taken it contains it.
 * That an index of transactions doesn't know it would prove nothing: it may lag behind. Bytes that are not known prove nothing.
 */
export async function deadAt(http: TronRpc, prepared: PreparedPayment, height: number): Promise<string | null> {
  if (prepared.raw === "") return null;
  const signed = readSigned(prepared);
  const proof = await readSolidRef(http, height);
  if (proof === null || proof.timestamp < signed.raw_data.expiration) return null;
  const reference = await referenceBlock(http, signed, height);
  return (await mayInclude(http, reference, signed, height)) ? null : proof.hash;
}

/** The block that a transaction was built on; it can be in none before. */
async function referenceBlock(http: TronRpc, { raw_data }: SignedTransaction, below: number): Promise<TronBlockRef> {
  const named = Number.parseInt(raw_data.ref_block_bytes, 16);
  let height = below - ((((below - named) % REFERENCE_HEIGHTS) + REFERENCE_HEIGHTS) % REFERENCE_HEIGHTS);
  for (; height >= 0; height -= REFERENCE_HEIGHTS) {
    const ref = await readSolidRef(http, height);
    if (ref?.hash.slice(16, 32) === raw_data.ref_block_hash) return ref;
  }
  throw new Error(`the node doesn't know the block ${raw_data.ref_block_bytes} that a payment was built on`);
}

/** Reads every block between the reference and the first that comes too late; throws when one doesn't follow the one before it. */
async function mayInclude(
  http: TronRpc,
  reference: TronBlockRef,
  { txID, raw_data }: SignedTransaction,
  height: number,
): Promise<boolean> {
  let before = reference;
  while (before.timestamp < raw_data.expiration) {
    if (before.height >= height) return true;
    const next = await readBlockAfter(http, before);
    if (next.transactions.some((transaction) => transaction.txID === txID)) return true;
    before = next;
  }
  return false;
}

async function readBlockAfter(http: TronRpc, before: TronBlockRef): Promise<TronBlock> {
  const block = await http.call("walletsolidity/getblockbynum", { num: before.height + 1 }, fullBlockSchema);
  if (block?.parentHash !== before.hash) throw new Error(`the node returned no block that follows ${before.hash}`);
  return block;
}
