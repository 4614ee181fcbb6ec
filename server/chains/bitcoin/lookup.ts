import * as z from "zod";
import type { Lookup } from "../port.ts";
import { RpcError, type BitcoinRpc } from "./rpc.ts";
import type { WalletTransaction } from "./schemas.ts";
import type { Watch } from "./watch-wallet.ts";

const NOT_THERE = -5;

/** Where a payment stands on the chain of now; a later call may say otherwise, until it is deep enough. */
export async function lookUp(rpc: BitcoinRpc, watch: Watch, txId: string): Promise<Lookup> {
  const known = await watch.transaction(txId);
  if (known !== null && known.confirmations > 0) return mined(watch, known);
  const rival = known !== null && known.confirmations < 0 ? await minedRival(watch, known) : null;
  if (rival !== null) return rival;
  // The wallet remembers what the mempool has lost, and a lost payment has to be sent again.
  return { kind: (await isInMempool(rpc, txId)) ? "pending" : "absent" };
}

async function mined(watch: Watch, { txid, blockhash, fee }: WalletTransaction): Promise<Lookup> {
  if (blockhash === undefined || fee === undefined) throw new Error(`${txid} is mined, but is no payment of ours`);
  return {
    kind: "mined",
    height: await watch.heightOf(blockhash),
    hash: blockhash,
    succeeded: true,
    feePaid: fee < 0n ? -fee : fee,
  };
}

/** The mined transaction that has spent a coin of this one, which can therefore never be mined on this chain. */
async function minedRival(watch: Watch, { walletconflicts }: WalletTransaction): Promise<Lookup | null> {
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
    if (error instanceof RpcError && error.code === NOT_THERE) return false;
    throw error;
  }
}
