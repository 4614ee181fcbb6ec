import { REVIEW_REASON } from "../../db/review-reasons.ts";
import type { ObservedBlock, ObservedTransfer } from "../port.ts";
import type { Daemon } from "./daemon.ts";
import type { IncomingTransfer } from "./schemas.ts";
import type { ViewWallet } from "./view-wallet.ts";

/**
 * Reads the block of a height with what it pays to deposit addresses; null while there is none. The wallet is a second view of the
 * same chain: this throws while it lags or is on another branch, so that no block is returned without its deposits.
 */
export async function readBlock(
  daemon: Daemon,
  wallet: ViewWallet,
  slug: string,
  height: number,
): Promise<ObservedBlock | null> {
  const block = await daemon.blockRefAt(height);
  if (block === null) return null;
  const arrived = await wallet.transfersAt(height);
  const after = await daemon.blockRefAt(height);
  if (after?.hash !== block.hash) throw new Error(`block ${height} was replaced while it was read`);
  if (arrived.length > 0) {
    const inBlock = await daemon.transactionsOf(block.hash);
    const unknown = arrived.find(({ txid }) => !inBlock.has(txid));
    if (unknown !== undefined) throw new Error(`the wallet sees ${unknown.txid} in block ${height}, the node does not`);
  }
  return { ...block, transfers: arrived.map((transfer) => observed(transfer, slug)) };
}

/** What waits for a block. The wallet forgets slowly what its node's pool has dropped, so the node must have it too. */
export async function readPool(daemon: Daemon, wallet: ViewWallet, slug: string): Promise<ObservedTransfer[]> {
  const waiting = await wallet.unconfirmed();
  const inPool = await daemon.inPool([...new Set(waiting.map(({ txid }) => txid))]);
  return waiting.filter(({ txid }) => inPool.has(txid)).map((transfer) => observed(transfer, slug));
}

/**
 * The wallet adds up what one transaction pays to one subaddress, so the subaddress's number tells its deposits apart, in the pool as
 * in a block.
 */
function observed(
  { txid, subaddr_index, address, amount, unlock_time }: IncomingTransfer,
  slug: string,
): ObservedTransfer {
  return {
    txId: txid,
    outputIndex: subaddr_index.minor,
    toAddress: address,
    slug,
    amount,
    ...(unlock_time !== 0n && { reviewReason: REVIEW_REASON.lockedBySender }),
  };
}
