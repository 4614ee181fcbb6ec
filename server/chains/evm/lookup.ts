import { getAddress, isAddressEqual, type Hex } from "viem";
import * as z from "zod";
import type { Lookup } from "../port.ts";
import { decodeTransfer, readTransferLog } from "./erc20.ts";
import type { EvmRpc } from "./rpc.ts";
import { hashSchema, sentTransactionSchema, sentReceiptSchema, type SentReceipt } from "./schemas.ts";

/**
 * The state of a transaction of ours on the current chain; it may change until it is deep enough. A token's transfer has succeeded only
 * where its contract says so: some return false instead of failing, or keep a part.
 */
export async function lookUp(rpc: EvmRpc, txId: string): Promise<Lookup> {
  const receipt = await rpc.call("eth_getTransactionReceipt", [txId], sentReceiptSchema.nullable());
  if (receipt !== null) {
    const { blockNumber, blockHash, status, gasUsed, effectiveGasPrice } = receipt;
    return {
      kind: "mined",
      height: blockNumber,
      hash: blockHash,
      succeeded: status && (await hasMoved(rpc, receipt)),
      feePaid: gasUsed * effectiveGasPrice,
    };
  }
  const known = await rpc.call("eth_getTransactionByHash", [txId], z.object({ hash: hashSchema }).nullable());
  return known === null ? { kind: "absent" } : { kind: "pending" };
}

/** Whether the logs show the transfer that the transaction asked for, in full; true for what asks for none. */
async function hasMoved(rpc: EvmRpc, { transactionHash, to: contract, logs }: SentReceipt): Promise<boolean> {
  const sent = await rpc.call("eth_getTransactionByHash", [transactionHash], sentTransactionSchema);
  const asked = decodeTransfer(sent.input as Hex);
  if (asked === null || contract == null) return true;
  const moved = logs.map((log) => ({ ...log, transfer: readTransferLog(log) }));
  return moved.some(
    ({ address, transfer }) =>
      transfer !== null &&
      isAddressEqual(address, contract) &&
      isAddressEqual(transfer.from, sent.from) &&
      isAddressEqual(transfer.to, getAddress(asked.to)) &&
      transfer.amount >= asked.amount,
  );
}
