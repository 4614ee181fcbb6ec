import * as z from "zod";
import { FeesOverCapError, type Handle, type PreparedPayment } from "../../port.ts";
import type { Chain } from "../chain-params.ts";
import type { Coin, Selection } from "../coin-selection.ts";
import { readIncrementalRate, readMarketRate } from "../fees.ts";
import { readWaiting, wouldAccept } from "../mempool.ts";
import { isWorthReplacing, outbidToOurselves } from "./replacement-fee.ts";
import type { BitcoinRpc } from "../rpc.ts";
import { inputKeys, parseTransaction } from "../transaction.ts";
import type { WatchWallet } from "../watch-wallet.ts";

type TakeoverParts = {
  rpc: BitcoinRpc;
  chain: Chain;
  watch: Pick<WatchWallet, "transaction" | "output">;
  hotScript: Uint8Array;
  sign(selection: Selection & { amount: bigint }): Promise<PreparedPayment>;
};

const waitingSchema = z.object({ raw: z.string() });

/** The handle of a payment to ourselves of which only the bytes are known. */
export const handleOfBytes = (raw: string): Handle => ({ keys: inputKeys(parseTransaction(raw)), data: { raw } });

/**
 * What replaces the first of these payments to ourselves that pays less than today's blocks ask, over the same inputs, by the rule of every
 * replacement; null where none does, where another
 * payment spends it, and where the node keeps what it has. Throws `FeesOverCapError` above the cap.
 */
export async function chooseTakeover(
  parts: TakeoverParts,
  waiting: readonly Handle[],
): Promise<(Selection & { amount: bigint }) | null> {
  for (const { data } of waiting) {
    const chosen = await takeOver(parts, waitingSchema.parse(data).raw);
    if (chosen !== null) return chosen;
  }
  return null;
}

async function takeOver({ rpc, chain, watch, hotScript, sign }: TakeoverParts, raw: string) {
  const transaction = parseTransaction(raw);
  const inputs = await coinsOf(watch, inputKeys(transaction));
  const known = await watch.transaction(transaction.id);
  if (inputs === null || known?.confirmations !== 0) return null;
  let fee = inputs.reduce((sum, { amount }) => sum + amount, 0n);
  for (let at = 0; at < transaction.outputsLength; at += 1) fee -= transaction.getOutput(at).amount ?? 0n;
  const own = { fee, size: BigInt(transaction.vsize) };
  const entry = await readWaiting(rpc, transaction.id);
  if (entry !== null && entry.children.size > 0n) return null;
  const marketRate = await readMarketRate(rpc, chain);
  const auction = {
    stuck: [own],
    waiting: entry,
    marketRate,
    incrementalRate: await readIncrementalRate(rpc, chain),
  };
  if (!isWorthReplacing(auction)) return null;
  if (marketRate > chain.fees.cap)
    throw new FeesOverCapError(
      `${chain.networkTitle}: a byte costs ${marketRate} now, more than the cap of ${chain.fees.cap}`,
    );
  const outputs = transaction.outputsLength;
  const selection = outbidToOurselves(chain, { inputs, outputs, script: hotScript.length }, auction);
  // Signed to be asked about, and not sent: what is stored later is signed anew, as the same bytes.
  return selection !== null && (await wouldAccept(rpc, (await sign(selection)).raw)) ? selection : null;
}

/** What each of them is worth; null where the node's wallet doesn't know one, or it is in no block. */
async function coinsOf(watch: TakeoverParts["watch"], keys: readonly string[]): Promise<Coin[] | null> {
  const coins: Coin[] = [];
  for (const key of keys) {
    const [txId = "", vout = ""] = key.split(":");
    const spent = await watch.output(txId, Number(vout));
    if (spent === null || spent.confirmations <= 0) return null;
    coins.push({ txId, vout: Number(vout), amount: spent.amount });
  }
  return coins;
}
