import * as z from "zod";
import type { Lookup } from "../port.ts";
import type { EvmRpc } from "./rpc.ts";
import { hashSchema, receiptSchema } from "./schemas.ts";

/** The state of a transaction on the current chain; it may change until it is deep enough. */
export async function lookUp(rpc: EvmRpc, txId: string): Promise<Lookup> {
  const receipt = await rpc.call("eth_getTransactionReceipt", [txId], receiptSchema.nullable());
  if (receipt !== null) {
    const { blockNumber, blockHash, status, gasUsed, effectiveGasPrice } = receipt;
    return {
      kind: "mined",
      height: blockNumber,
      hash: blockHash,
      succeeded: status,
      feePaid: gasUsed * effectiveGasPrice,
    };
  }
  const known = await rpc.call("eth_getTransactionByHash", [txId], z.object({ hash: hashSchema }).nullable());
  return known === null ? { kind: "absent" } : { kind: "pending" };
}
