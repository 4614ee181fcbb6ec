import type { PrivateKeyAccount } from "viem/accounts";
import { TooManyPendingError, type Handle, type NetworkWallet, type Payment } from "../port.ts";
import { broadcastRaw } from "./broadcast.ts";
import { boundedFees, gasCap, loweredTo, type EvmCaps } from "./caps.ts";
import { gasWithin, readGasPrice } from "./fees.ts";
import type { EvmInstruments } from "./instruments.ts";
import { lookUp } from "./lookup.ts";
import { createMempoolReader } from "./mempool.ts";
import { checkChainOnce } from "./reader.ts";
import type { EvmRpc } from "./rpc.ts";
import { heightSchema } from "./schemas.ts";
import { deadAt, noncesUsed, usesHandle } from "./used-nonce.ts";
import {
  balanceAt,
  recipientOf,
  handleOf,
  maxCostOf,
  nextNonce,
  signCancellation,
  signReplacement,
  signTransfer,
  takeoverHandle,
} from "./transaction.ts";

/**
 * Payments of one account that wait for a block at a time, as many as a node keeps of one account while it is full. More could have been signed since a
 * backup than are made invalid after its restore.
 */
const MAX_WAITING = 8;

export type EvmWalletOptions = {
  networkTitle: string;
  chainId: number;
  instruments: EvmInstruments;
  account: PrivateKeyAccount;
  caps: EvmCaps;
};

/** The paying side of an EVM network (`port.ts`): an account that signs here, nonces that the caller reserves. */
export function createEvmWalletFrom(rpc: EvmRpc, options: EvmWalletOptions): NetworkWallet {
  const { networkTitle, chainId, instruments, account, caps } = options;
  const from = account.address;
  const checkChain = checkChainOnce(rpc, chainId);
  const readMempool = createMempoolReader(rpc, instruments, from);

  const chooseHandle = async (
    payment: Payment,
    reserved: readonly Handle[],
    costLimit: bigint | null = null,
  ): Promise<Handle> => {
    await checkChain();
    const { to, contract } = recipientOf(instruments, payment);
    const price = await readGasPrice(rpc);
    const fees = boundedFees(price, caps);
    const [mined, gas] = await Promise.all([
      // Not "pending": what this node has queued is not what is reserved, and it may forget it.
      rpc.call("eth_getTransactionCount", [from, "latest"], heightSchema),
      gasWithin(rpc, { from, to, contract, amount: payment.amount, fees }, gasCap(caps, contract)),
    ]);
    const nonce = nextNonce(from, mined, reserved);
    if (nonce - mined >= MAX_WAITING)
      throw new TooManyPendingError(`${nonce - mined} payments of the hot wallet wait for a block`);
    return handleOf({
      from,
      nonce,
      gas,
      // A lower maximum changes nothing of the price that a block takes now, which the estimate was made with.
      ...loweredTo(costLimit === null ? null : costLimit / gas, fees, price),
    });
  };

  return {
    networkTitle,
    showsMinedOnly: true,
    hotAddress: () => from,
    hotBalance: async (slug) => {
      await checkChain();
      return balanceAt(rpc, instruments, from, slug);
    },
    chooseHandle,
    // Whoever kept the bytes of a payment can send them as soon as its nonce is the next one, which only its use makes invalid.
    chooseConsolidation: async (reserved, _, made) => {
      if (made >= MAX_WAITING) return null;
      const payment = { slug: instruments.native, toAddress: from, toMemo: null, amount: 1n };
      return { handle: await chooseHandle(payment, reserved), amount: payment.amount };
    },
    chooseTakeover: async (waiting) => {
      await checkChain();
      const handle = await takeoverHandle(rpc, options, waiting);
      return handle === null ? null : { handle, amount: 1n };
    },
    maxCost: maxCostOf,
    prepare: (payment, handle) => signTransfer(options, payment, handle),
    broadcast: (prepared) => broadcastRaw(rpc, prepared, checkChain),
    lookup: async (txId) => {
      await checkChain();
      return lookUp(rpc, txId);
    },
    deadAt: async (prepared, height) => {
      await checkChain();
      return deadAt(rpc, prepared, height);
    },
    noncesUsed: async (address, height) => {
      await checkChain();
      return noncesUsed(rpc, address, height);
    },
    usesHandle: async (txId, handle) => {
      await checkChain();
      return usesHandle(rpc, txId, handle);
    },
    recentPayments: async () => {
      await checkChain();
      return readMempool();
    },
    prepareCancellation: async (handle, stuck) => {
      await checkChain();
      return signCancellation(options, handle, stuck, boundedFees(await readGasPrice(rpc), caps));
    },
    prepareReplacement: async (payment, handle, stuck, _reserved, costLimit) => {
      await checkChain();
      return signReplacement(rpc, options, { payment, handle, stuck, costLimit });
    },
  };
}
