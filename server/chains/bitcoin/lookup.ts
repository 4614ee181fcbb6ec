import * as z from "zod";
import type { Lookup } from "../port.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import type { WalletTransaction } from "./schemas.ts";
import type { WatchWallet } from "./watch-wallet.ts";

const NOT_FOUND = -5;

/** The state of a payment on the current chain; it may change until it is deep enough. */
export async function lookUp(rpc: BitcoinRpc, watch: WatchWallet, txId: string): Promise<Lookup> {
  const known = await watch.transaction(txId);
  if (known !== null && known.confirmations > 0) return mined(watch, known);
  const conflict = known !== null && known.confirmations < 0 ? await minedConflict(watch, known) : null;
  if (conflict !== null) return conflict;
  // The wallet remembers what the mempool has lost, and a lost payment has to be sent again.
  return { kind: (await isInMempool(rpc, txId)) ? "pending" : "absent" };
}

async function mined(watch: WatchWallet, { txid, blockhash, fee }: WalletTransaction): Promise<Lookup> {
  if (blockhash === undefined || fee === undefined) throw new Error(`${txid} is mined, but is not a payment of ours`);
  return {
    kind: "mined",
    height: await watch.heightOf(blockhash),
    hash: blockhash,
    succeeded: true,
    feePaid: fee < 0n ? -fee : fee,
  };
}

/** The mined transaction that has spent a coin of this one, which can therefore never be mined on this chain. */
async function minedConflict(watch: WatchWallet, { walletconflicts }: WalletTransaction): Promise<Lookup | null> {
  for (const txId of walletconflicts) {
    const other = await watch.transaction(txId);
    if (other === null || other.confirmations <= 0 || other.blockhash === undefined) continue;
    return { kind: "replaced", byTxId: txId, height: await watch.heightOf(other.blockhash), hash: other.blockhash };
  }
  return null;
}

async function isInMempool(rpc: BitcoinRpc, txId: string): Promise<boolean> {
  try {
    await rpc.call("getmempoolentry", [txId], z.unknown());
    return true;
  } catch (error) {
    if (error instanceof BitcoinRpcError && error.code === NOT_FOUND) return false;
    throw error;
  }
}
