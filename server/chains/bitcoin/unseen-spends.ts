import * as z from "zod";
import type { RecentPayment } from "../port.ts";
import { keyOf } from "./coin-selection.ts";
import { isFree } from "./mempool.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import { hashSchema } from "./schemas.ts";
import type { WatchWallet } from "./watch-wallet.ts";

const NO_SUCH_METHOD = -32_601;

const spendersSchema = z.array(z.object({ spendingtxid: hashSchema.optional() }));

/**
 * Finds the mined coins of the hot address that the node's mempool spends while its wallet takes them for free: one that began to watch beside
 * a full mempool doesn't know what waits there. What enters it later the wallet sees by itself, so a coin that was free is asked about once.
 */
export function createUnseenSpends(rpc: BitcoinRpc, watch: WatchWallet): () => Promise<RecentPayment[]> {
  let free = new Set<string>();
  return async () => {
    const seen = new Set<string>();
    const spends: RecentPayment[] = [];
    for (const { txid, vout } of await watch.unspent(1)) {
      const key = keyOf({ txId: txid, vout });
      if (free.has(key) || (await isFree(rpc, txid, vout))) seen.add(key);
      else spends.push({ txId: await spenderOf(rpc, txid, vout), height: null, key });
    }
    free = seen;
    return spends;
  };
}

/** Null where the node can't tell, as before Bitcoin Core 24. */
async function spenderOf(rpc: BitcoinRpc, txid: string, vout: number): Promise<string | null> {
  try {
    const [found] = await rpc.call("gettxspendingprevout", [[{ txid, vout }]], spendersSchema);
    return found?.spendingtxid ?? null;
  } catch (error) {
    if (error instanceof BitcoinRpcError && error.code === NO_SUCH_METHOD) return null;
    throw error;
  }
}
