import { getAddress, isAddressEqual, type Hex } from "viem";
import * as z from "zod";
import type { Lookup, Moved } from "../port.ts";
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
    const mined = {
      kind: "mined",
      height: blockNumber,
      hash: blockHash,
      feePaid: gasUsed * effectiveGasPrice,
    } as const;
    const short = status ? await movedLess(rpc, receipt) : NOTHING;
    if (short === null) return { ...mined, succeeded: true };
    return { ...mined, succeeded: false, ...(short.spent > 0n && { moved: short }) };
  }
  const known = await rpc.call("eth_getTransactionByHash", [txId], z.object({ hash: hashSchema }).nullable());
  return known === null ? { kind: "absent" } : { kind: "pending" };
}

const NOTHING: Moved = { spent: 0n, arrived: 0n };

/** What the logs show of a transfer that was not made in full; null where it was, and for what asks for none. */
async function movedLess(rpc: EvmRpc, { transactionHash, to: contract, logs }: SentReceipt): Promise<Moved | null> {
  const sent = await rpc.call("eth_getTransactionByHash", [transactionHash], sentTransactionSchema);
  const asked = decodeTransfer(sent.input as Hex);
  if (asked === null || contract == null) return null;
  const amounts = (is: (transfer: { from: Hex; to: Hex }) => boolean) =>
    logs.flatMap((log) => {
      const transfer = isAddressEqual(log.address, contract) ? readTransferLog(log) : null;
      return transfer !== null && isAddressEqual(transfer.from, sent.from) && is(transfer) ? [transfer.amount] : [];
    });
  const arrived = amounts(({ to }) => isAddressEqual(to, getAddress(asked.to)));
  if (arrived.some((amount) => amount >= asked.amount)) return null;
  const sum = (of: bigint[]) => of.reduce((total, amount) => total + amount, 0n);
  return { spent: sum(amounts(() => true)), arrived: sum(arrived) };
}
