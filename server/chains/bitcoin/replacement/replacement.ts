import {
  PaymentRefusedError,
  type Handle,
  type Payment,
  type PreparedPayment,
  type PreparedReplacement,
} from "../../port.ts";
import type { Chain } from "../chain-params.ts";
import { keyOf, type Selection } from "../coin-selection.ts";
import { maxFeeOf, readIncrementalRate, readMarketRate } from "../fees.ts";
import { isFree, readWaiting, wouldAccept } from "../mempool.ts";
import { isWorthReplacing, outbid, type Auction, type Paid } from "./replacement-fee.ts";
import type { BitcoinRpc } from "../rpc.ts";
import { inputKeys, parseTransaction, scriptOfAddress } from "../transaction.ts";
import type { WatchWallet } from "../watch-wallet.ts";

export type ReplacementParts = {
  rpc: BitcoinRpc;
  chain: Chain;
  watch: Pick<WatchWallet, "transaction">;
  changeScript: Uint8Array;
  sign(payment: Payment, selection: Selection): Promise<PreparedPayment>;
};

/**
 * The same payment over exactly the same inputs for a higher fee, taken from its change (BIP-125). Null while it isn't worth it, where
 * another payment of ours spends the change, and where the node keeps what it has: nodes of Litecoin do by default.
 */
export async function replaceByFee(
  { rpc, chain, watch, changeScript, sign }: ReplacementParts,
  payment: Payment,
  { inputs, change }: Pick<Selection, "inputs" | "change">,
  stuck: readonly PreparedPayment[],
  handles: readonly Handle[],
): Promise<PreparedReplacement | null> {
  const attempts = stuck.map((one) => readAttempt(one, inputs));
  const isOver = await Promise.all(stuck.map(({ txId }) => isMinedOrDead(watch, txId)));
  if (attempts.length === 0 || isOver.includes(true)) return null;
  const spent = new Set(handles.flatMap(({ keys }) => keys));
  if (attempts.some(({ changeKeys }) => changeKeys.some((key) => spent.has(key)))) return null;

  const auction = await readAuction(rpc, chain, stuck, attempts);
  if (!isWorthReplacing(auction)) return null;
  if (auction.marketRate > chain.fees.cap)
    throw new PaymentRefusedError("fee_over_cap", `a byte costs ${auction.marketRate}, more than ${chain.fees.cap}`);
  for (const { changeKeys, txId } of attempts)
    if (auction.waiting?.txId === txId && !(await areFree(rpc, changeKeys))) return null;

  const toScript = scriptOfAddress(chain, payment.toAddress).length;
  const fixed = { inputs, amount: payment.amount, changes: change.length, toScript, changeScript: changeScript.length };
  const selection = outbid(chain, fixed, auction);
  if (selection === null) return null;
  const maxFee = maxFeeOf(chain, inputs.length, [toScript, ...selection.change.map(() => changeScript.length)]);
  if (selection.fee > maxFee)
    throw new PaymentRefusedError("fee_over_cap", `the fee would be ${selection.fee}, more than ${maxFee}`);
  const signed = await sign(payment, selection);
  return (await wouldAccept(rpc, signed.raw)) ? { ...signed, maxCost: selection.fee } : null;
}

type Attempt = Paid & { txId: string; changeKeys: string[] };

/** What an attempt pays, by its own bytes. Throws unless it spends exactly the handle's inputs: nothing else excludes it. */
function readAttempt({ raw, txId }: PreparedPayment, inputs: Selection["inputs"]): Attempt {
  const transaction = parseTransaction(raw);
  if (transaction.id !== txId || inputKeys(transaction).toSorted().join() !== inputs.map(keyOf).toSorted().join())
    throw new Error(`${txId} doesn't spend what its payment has reserved`);
  let fee = inputs.reduce((sum, { amount }) => sum + amount, 0n);
  for (let at = 0; at < transaction.outputsLength; at += 1) fee -= transaction.getOutput(at).amount ?? 0n;
  // The first output is the customer's.
  const changeKeys = Array.from({ length: transaction.outputsLength - 1 }, (_, at) => keyOf({ txId, vout: at + 1 }));
  return { txId, fee, size: BigInt(transaction.vsize), changeKeys };
}

async function isMinedOrDead(watch: Pick<WatchWallet, "transaction">, txId: string): Promise<boolean> {
  const known = await watch.transaction(txId);
  return known !== null && known.confirmations !== 0;
}

async function readAuction(
  rpc: BitcoinRpc,
  chain: Chain,
  stuck: readonly PreparedPayment[],
  attempts: readonly Attempt[],
): Promise<Auction & { waiting: (Auction["waiting"] & { txId: string }) | null }> {
  const [marketRate, incrementalRate, ...entries] = await Promise.all([
    readMarketRate(rpc, chain),
    readIncrementalRate(rpc, chain),
    ...stuck.map(async ({ txId }) => {
      const entry = await readWaiting(rpc, txId);
      return entry === null ? null : { ...entry, txId };
    }),
  ]);
  return {
    stuck: attempts,
    waiting: entries.find((entry) => entry !== null) ?? null,
    marketRate,
    incrementalRate,
  };
}

async function areFree(rpc: BitcoinRpc, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) {
    const [txId = "", vout] = key.split(":");
    if (!(await isFree(rpc, txId, Number(vout)))) return false;
  }
  return true;
}
