import * as z from "zod";
import type { Handle, PreparedPayment } from "../port.ts";
import { readBlockHash } from "./blocks.ts";
import type { BitcoinRpc } from "./rpc.ts";
import { inputKeys, parseTransaction } from "./transaction.ts";
import type { WatchWallet } from "./watch-wallet.ts";

const WITHOUT_MEMPOOL = false;

/**
 * The hash of the block at `height` when a transaction other than these bytes has spent one of their coins up to it: no block can hold them
 * any more. Else null. Bytes that are not known prove nothing.
 */
export async function deadAt(
  rpc: BitcoinRpc,
  watch: WatchWallet,
  { raw, txId }: PreparedPayment,
  height: number,
): Promise<string | null> {
  if (raw === "") return null;
  const coins = inputKeys(parseTransaction(raw));
  // Nearly always none is: what searches the wallet is asked of few payments.
  if (!(await isOneSpent(rpc, coins))) return null;
  const before = await readBlockHash(rpc, height);
  const spenders = await watch.minedSpenders(coins);
  if (spenders.some((spender) => spender.txId === txId) || !spenders.some((spender) => spender.height <= height))
    return null;
  // The chain up to there is the same as it was when the spender was found on it.
  return before !== null && (await readBlockHash(rpc, height)) === before ? before : null;
}

/** Whether a transaction in a block has spent a coin of a handle. */
export async function usesHandle(watch: WatchWallet, txId: string, { keys }: Handle): Promise<boolean> {
  const found = await watch.transaction(txId);
  if (found === null || found.confirmations <= 0) return false;
  return inputKeys(parseTransaction(found.hex)).some((key) => keys.includes(key));
}

async function isOneSpent(rpc: BitcoinRpc, coins: readonly string[]): Promise<boolean> {
  for (const coin of coins) {
    const [txId = "", vout = ""] = coin.split(":");
    if ((await rpc.call("gettxout", [txId, Number(vout), WITHOUT_MEMPOOL], z.unknown())) == null) return true;
  }
  return false;
}
