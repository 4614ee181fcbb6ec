import * as z from "zod";
import { NotEnoughFundsError, PaymentRefusedError, type Handle, type NetworkWallet, type Payment } from "../port.ts";
import { broadcastRaw } from "./broadcast.ts";
import type { Chain } from "./chain-params.ts";
import { payByChild } from "./replacement/child.ts";
import { keyOf, selectCoins, type Coin, type Selection } from "./coin-selection.ts";
import { selectAll } from "./consolidation.ts";
import { maxFeeOf, readFeeRate } from "./fees.ts";
import { readHotBalance } from "./hot-balance.ts";
import type { HotKey } from "./keys.ts";
import { lookUp } from "./lookup.ts";
import { createRecentPayments } from "./recent-payments.ts";
import { replaceByFee } from "./replacement/replacement.ts";
import type { BitcoinRpc } from "./rpc.ts";
import { heightSchema } from "./schemas.ts";
import { deadAt, usesHandle } from "./spent-coins.ts";
import { chooseTakeover } from "./replacement/takeover.ts";
import { scriptOfAddress, signTransaction } from "./transaction.ts";
import { createWatchWallet } from "./watch-wallet.ts";

const amountSchema = z.string().regex(/^\d+$/).transform(BigInt);
const coinSchema = z.object({ txId: z.string(), vout: z.int().nonnegative(), amount: amountSchema });

/** A handle fixes what is spent, the change and the fee, so that preparing twice yields the same bytes. */
const handleSchema = z.object({
  from: z.string(),
  inputs: z.array(coinSchema).min(1),
  change: z.array(amountSchema),
  fee: amountSchema,
});

/**
 * The paying side of a chain of Bitcoin's family (`port.ts`). The key is here and the node only watches its address; coins are
 * reserved by the caller, never locked at the node, whose locks don't outlive it.
 */
export function createBitcoinWalletFrom(
  rpc: BitcoinRpc,
  chain: Chain,
  key: HotKey,
  checkChain: () => Promise<void>,
): NetworkWallet {
  const { networkTitle } = chain;
  const watch = createWatchWallet(rpc, chain, key);
  const readRecent = createRecentPayments(rpc, watch, chain, key.address);

  const requireCoin = (slug: string): void => {
    if (slug !== chain.coin) throw new Error(`${slug} is not the coin of ${networkTitle}`);
  };

  const hotBalance = async (slug: string) => {
    requireCoin(slug);
    await checkChain();
    return readHotBalance(rpc, watch, key.script);
  };

  const chooseHandle = async (payment: Payment, reserved: readonly Handle[]): Promise<Handle> => {
    requireCoin(payment.slug);
    if (payment.amount < chain.dust)
      throw new PaymentRefusedError("under_dust", `${payment.amount} is too little for ${networkTitle} to relay`);
    await checkChain();
    const taken = new Set(reserved.flatMap(({ keys }) => keys));
    // Only mined coins: a payment that spends another's change would fall with it.
    const [coins, feeRate] = await Promise.all([watch.unspent(1), readFeeRate(rpc, chain)]);
    const free: Coin[] = coins
      .map(({ txid, vout, amount }) => ({ txId: txid, vout, amount }))
      .filter((coin) => !taken.has(keyOf(coin)));
    const toScript = scriptOfAddress(chain, payment.toAddress).length;
    const wanted = { amount: payment.amount, feeRate, toScript, changeScript: key.script.length };
    const selected = selectCoins(chain, free, wanted);
    if (selected === null)
      throw new NotEnoughFundsError(`${networkTitle} has no free coins for ${payment.amount} of ${payment.slug}`);
    return handleOf(selected);
  };

  const handleOf = ({ inputs, change, fee }: Selection): Handle => ({
    keys: inputs.map(keyOf),
    data: {
      from: key.address,
      inputs: inputs.map(({ txId, vout, amount }) => ({ txId, vout, amount: `${amount}` })),
      change: change.map(String),
      fee: `${fee}`,
    },
  });

  const chooseConsolidation = async (reserved: readonly Handle[], before: number | null) => {
    await checkChain();
    const taken = new Set(reserved.flatMap(({ keys }) => keys));
    const [tip, coins] = [await rpc.call("getblockcount", [], heightSchema), await watch.unspent(1)];
    const free = coins
      .map(({ txid, vout, amount, confirmations }) => ({ txId: txid, vout, amount, height: tip - confirmations + 1 }))
      .filter((coin) => !taken.has(keyOf(coin)));
    const isOld = ({ height }: { height: number }): boolean => before === null || height < before;
    const byAge = { old: free.filter(isOld), newer: free.filter((coin) => !isOld(coin)) };
    if (byAge.old.length === 0) return null;
    const selected = selectAll(chain, byAge, { feeRate: await readFeeRate(rpc, chain), script: key.script.length });
    return selected === null ? null : { handle: handleOf(selected), amount: selected.amount };
  };

  const prepare = async (payment: Payment, handle: Handle) => {
    requireCoin(payment.slug);
    const { from, ...selected } = handleSchema.parse(handle.data);
    if (from !== key.address) throw new Error(`the handle ${handle.keys.join()} belongs to another wallet`);
    const scripts = [scriptOfAddress(chain, payment.toAddress).length, ...selected.change.map(() => key.script.length)];
    const maxFee = maxFeeOf(chain, selected.inputs.length, scripts);
    if (selected.fee > maxFee)
      throw new PaymentRefusedError("fee_over_cap", `the fee would be ${selected.fee}, more than ${maxFee}`);
    return sign(payment, selected);
  };

  const sign = async (payment: Pick<Payment, "toAddress" | "amount">, selection: Selection) =>
    signTransaction(chain, key, payment, selection, await transactionsBefore(selection.inputs));

  const transactionsBefore = async (inputs: readonly Coin[]): Promise<ReadonlyMap<string, string>> => {
    if (chain.hasSegwit) return new Map();
    const found = new Map<string, string>();
    for (const { txId } of inputs) {
      const before = await watch.transaction(txId);
      if (before !== null) found.set(txId, before.hex);
    }
    return found;
  };

  const lookup = async (txId: string) => {
    await checkChain();
    return lookUp(rpc, watch, txId);
  };

  return {
    networkTitle,
    seesOwnOnly: true,
    hotAddress: () => key.address,
    hotBalance,
    chooseHandle,
    chooseConsolidation,
    chooseTakeover: async (waiting) => {
      await checkChain();
      const toOurselves = async (selected: Selection & { amount: bigint }) =>
        sign({ toAddress: key.address, amount: selected.amount }, selected);
      const parts = { rpc, chain, watch, hotScript: key.script, sign: toOurselves };
      const selected = await chooseTakeover(parts, waiting);
      return selected === null ? null : { handle: handleOf(selected), amount: selected.amount };
    },
    maxCost: ({ data }) => handleSchema.parse(data).fee,
    prepare,
    prepareReplacement: async (payment, handle, stuck, reserved) => {
      requireCoin(payment.slug);
      await checkChain();
      const { from, ...selected } = handleSchema.parse(handle.data);
      if (from !== key.address) throw new Error(`the handle ${handle.keys.join()} belongs to another wallet`);
      const parts = { rpc, chain, watch, changeScript: key.script, sign };
      return replaceByFee(parts, payment, selected, stuck, [handle, ...reserved]);
    },
    prepareChild: async (stuck, children, reserved) => {
      await checkChain();
      return payByChild({ rpc, chain, hot: key, sign }, stuck, children, reserved);
    },
    broadcast: async (prepared) => {
      try {
        // A node that watches the address before it receives the payment remembers it.
        await checkChain();
        await watch.unspent(1);
      } catch (error) {
        return { kind: "unknown", reason: error instanceof Error ? error.message : String(error) };
      }
      return broadcastRaw(rpc, prepared, () => lookup(prepared.txId));
    },
    lookup,
    deadAt: async (prepared, height) => {
      await checkChain();
      return deadAt(rpc, watch, prepared, height);
    },
    usesHandle: async (txId, handle) => {
      await checkChain();
      return usesHandle(watch, txId, handle);
    },
    recentPayments: async () => {
      await checkChain();
      return readRecent();
    },
  };
}
