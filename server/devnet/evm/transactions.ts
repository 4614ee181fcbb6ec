import { setTimeout as wait } from "node:timers/promises";
import { numberToHex, type Hex } from "viem";
import * as z from "zod";
import { encodeTransfer } from "../../chains/evm/erc20.ts";
import type { EvmRpc } from "../../chains/evm/rpc.ts";
import { hashSchema, receiptSchema } from "../../chains/evm/schemas.ts";

export type SandboxTransfer = { from: Hex; to: Hex; contract: Hex | null; amount: bigint };

/** Sends from an unlocked account of the node: once, because a second try would pay twice. Gives the transaction's id. */
export function sendTransfer(rpc: EvmRpc, { from, to, contract, amount }: SandboxTransfer): Promise<string> {
  return contract === null
    ? send(rpc, { from, to, value: numberToHex(amount) })
    : send(rpc, { from, to: contract, data: encodeTransfer(to, amount) });
}

export const send = (rpc: EvmRpc, request: { from: Hex; to: Hex; value?: Hex; data?: Hex }): Promise<string> =>
  rpc.call("eth_sendTransaction", [request], hashSchema, { retryCount: 0 });

/** Mines until each transaction stands in a block; throws when one of them failed. */
export async function mineAll(rpc: EvmRpc, txIds: readonly string[]): Promise<void> {
  for (const txId of txIds) {
    for (let tries = 0; ; tries += 1) {
      const receipt = await rpc.call("eth_getTransactionReceipt", [txId], receiptSchema.nullable());
      if (receipt?.status) break;
      if (receipt !== null || tries === 100) throw new Error(`the devnet did not carry out ${txId}`);
      await rpc.call("anvil_mine", [numberToHex(1)], z.null());
      await wait(10);
    }
  }
}
