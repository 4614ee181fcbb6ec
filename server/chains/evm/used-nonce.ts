import { parseTransaction, recoverTransactionAddress } from "viem";
import * as z from "zod";
import type { Handle, PreparedPayment } from "../port.ts";
import type { EvmRpc } from "./rpc.ts";
import { addressSchema, blockRefSchema, hashSchema, heightSchema } from "./schemas.ts";

const minedSchema = z.object({ from: addressSchema, nonce: heightSchema, blockNumber: heightSchema.nullish() });
const hexOf = (height: number) => `0x${height.toString(16)}`;

/** How many nonces an account has used up to the block at `height`; null where the node has no such block. */
export async function noncesUsed(
  rpc: EvmRpc,
  address: string,
  height: number,
): Promise<{ used: number; hash: string } | null> {
  const block = await rpc.call("eth_getBlockByNumber", [hexOf(height), false], blockRefSchema.nullable());
  if (block === null) return null;
  // By the block's hash: a node on another branch fails instead of answering for that one.
  const used = await rpc.call("eth_getTransactionCount", [address, { blockHash: block.hash }], heightSchema);
  return { used, hash: block.hash };
}

/**
 * The hash of the block at `height` when the account has used the nonce of these bytes up to it, and no block holds them: another
 * transaction has their nonce, so that none can hold them any more. Else null. Bytes that are not known prove nothing.
 */
export async function deadAt(rpc: EvmRpc, { raw, txId }: PreparedPayment, height: number): Promise<string | null> {
  if (raw === "") return null;
  const serializedTransaction = raw as `0x02${string}`;
  const from = await recoverTransactionAddress({ serializedTransaction });
  const { nonce = 0 } = parseTransaction(serializedTransaction);
  const block = await noncesUsed(rpc, from, height);
  if (block === null || block.used <= nonce) return null;
  // Asked last: a block that had them before would show them now.
  const receipt = await rpc.call("eth_getTransactionReceipt", [txId], z.object({ blockHash: hashSchema }).nullable());
  return receipt === null ? block.hash : null;
}

/** Whether a transaction in a block has used the nonce of a handle. */
export async function usesHandle(rpc: EvmRpc, txId: string, { keys }: Handle): Promise<boolean> {
  const found = await rpc.call("eth_getTransactionByHash", [txId], minedSchema.nullable());
  return found?.blockNumber != null && keys.includes(`${found.from}:${found.nonce}`);
}
