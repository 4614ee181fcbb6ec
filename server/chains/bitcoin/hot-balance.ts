import { hex } from "@scure/base";
import type { Transaction } from "@scure/btc-signer";
import { keyOf } from "./coin-selection.ts";
import { readWaiting } from "./mempool.ts";
import type { BitcoinRpc } from "./rpc.ts";
import { inputKeys, parseTransaction } from "./transaction.ts";
import type { Unspent, WatchWallet } from "./watch-wallet.ts";

/**
 * What the hot address holds once its own payments are mined, in minor units: their change counts before it, or a payment would look like
 * a loss until then. What others send doesn't. A payment that the mempool has dropped counts too: the wallet takes its inputs for spent.
 */
export async function readHotBalance(rpc: BitcoinRpc, watch: WatchWallet, script: Uint8Array): Promise<bigint> {
  const isOurs = async ({ txid, confirmations }: Unspent): Promise<boolean> =>
    confirmations > 0 || (await watch.transaction(txid))?.fee !== undefined;
  let sum = 0n;
  for (const coin of await watch.unspent(0)) if (await isOurs(coin)) sum += coin.amount;
  return sum + changeOf(await droppedPayments(rpc, watch), Buffer.from(script).toString("hex"));
}

/** Payments that are in no block and not in the mempool, where nothing conflicts with them; one of those that exclude each other. */
async function droppedPayments(rpc: BitcoinRpc, watch: WatchWallet): Promise<Transaction[]> {
  const dropped = new Map<string, Transaction>();
  for (const txId of await watch.unminedPayments()) {
    const known = await watch.transaction(txId);
    if (known === null || known.confirmations !== 0) continue;
    const rivals = [txId, ...known.walletconflicts];
    if (rivals.some((rival) => dropped.has(rival))) continue;
    const waiting = await Promise.all(rivals.map((rival) => readWaiting(rpc, rival)));
    if (waiting.every((entry) => entry === null)) dropped.set(txId, parseTransaction(known.hex));
  }
  return [...dropped.values()];
}

function changeOf(payments: readonly Transaction[], script: string): bigint {
  const spent = new Set(payments.flatMap(inputKeys));
  let sum = 0n;
  for (const payment of payments)
    for (let vout = 0; vout < payment.outputsLength; vout += 1) {
      const output = payment.getOutput(vout);
      const isOurs = output.script !== undefined && hex.encode(output.script) === script;
      if (isOurs && !spent.has(keyOf({ txId: payment.id, vout }))) sum += output.amount ?? 0n;
    }
  return sum;
}
