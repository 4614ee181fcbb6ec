import * as z from "zod";
import type { RecentPayment } from "../port.ts";
import type { Chain } from "./chain-params.ts";
import { keyOf } from "./coin-selection.ts";
import { isFree } from "./mempool.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import { hashSchema } from "./schemas.ts";
import { handleOfBytes } from "./replacement/takeover.ts";
import { isToOurselves } from "./transaction.ts";
import type { WatchWallet } from "./watch-wallet.ts";

const NO_SUCH_METHOD = -32_601;

const spendersSchema = z.array(z.object({ spendingtxid: hashSchema.optional() }));

/** Lists the hot wallet's payments in no block. */
export function createRecentPayments(
  rpc: BitcoinRpc,
  watch: WatchWallet,
  chain: Chain,
  hotAddress: string,
): () => Promise<RecentPayment[]> {
  const readUnmined = createUnminedPayments(watch, chain, hotAddress);
  const readUnseenSpends = createUnseenSpends(rpc, watch);
  return async () => {
    const seen = await readUnmined();
    return [...seen, ...(await readUnseenSpends())];
  };
}

/** Lists those that the node's wallet knows, and which of them pay nobody; each is read once. */
function createUnminedPayments(watch: WatchWallet, chain: Chain, hotAddress: string): () => Promise<RecentPayment[]> {
  let known = new Map<string, RecentPayment>();
  const read = async (txId: string): Promise<RecentPayment> => {
    const found = await watch.transaction(txId);
    if (found === null || !isToOurselves(chain, found.hex, hotAddress)) return { txId, height: null };
    return { txId, height: null, isToOurselves: true, spends: handleOfBytes(found.hex) };
  };
  return async () => {
    const seen = new Map<string, RecentPayment>();
    for (const txId of await watch.unminedPayments()) seen.set(txId, known.get(txId) ?? (await read(txId)));
    known = seen;
    return [...seen.values()];
  };
}

/**
 * Finds the mined coins of the hot address that the node's mempool spends while its wallet takes them for free: one that began to watch beside
 * a full mempool doesn't know what waits there. What enters it later the wallet sees by itself, so a coin that was free is asked about once.
 */
function createUnseenSpends(rpc: BitcoinRpc, watch: WatchWallet): () => Promise<RecentPayment[]> {
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
