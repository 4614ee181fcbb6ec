import { getAddress, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { minOf } from "#contract/money.ts";
import type { DepositSource, Handle, NetworkSweeper, Payment } from "../port.ts";
import { boundedFees, gasCap, type EvmCaps } from "./caps.ts";
import { expectedCost, gasWithin, NATIVE_GAS, readGasPrice } from "./fees.ts";
import type { EvmInstruments } from "./instruments.ts";
import { checkChainOnce } from "./reader.ts";
import type { EvmRpc } from "./rpc.ts";
import { heightSchema } from "./schemas.ts";
import {
  balanceAt,
  recipientOf,
  handleOf,
  nextNonce,
  signCancellation,
  signReplacement,
  signTransfer,
} from "./transaction.ts";

export type EvmSweeperOptions = {
  chainId: number;
  instruments: EvmInstruments;
  caps: EvmCaps;
  /** The account behind the deposit address of an index. */
  accountAt(index: bigint): PrivateKeyAccount;
};

/** Sweeps deposit addresses of an EVM network: each is an account with nonces of its own and pays its own gas. */
export function createEvmSweeper(rpc: EvmRpc, options: EvmSweeperOptions): NetworkSweeper {
  const { chainId, instruments, caps } = options;
  const checkChain = checkChainOnce(rpc, chainId);

  const accountOf = ({ address, index }: DepositSource): PrivateKeyAccount => {
    const account = options.accountAt(index);
    if (account.address !== address) throw new Error(`the key of deposit address ${index} is not that of ${address}`);
    return account;
  };

  const gasOf = async (from: Hex, payment: Payment): Promise<bigint> => {
    const { to, contract } = recipientOf(instruments, payment);
    // Not estimated: a node refuses to estimate a payment of all that is there.
    if (contract === null) return NATIVE_GAS;
    return gasWithin(rpc, { from, to, contract, amount: payment.amount }, gasCap(caps, contract));
  };

  const chooseSweepHandle = async (
    source: DepositSource,
    payment: Payment,
    reserved: readonly Handle[],
  ): Promise<Handle | null> => {
    await checkChain();
    const from = getAddress(source.address);
    const [mined, gas, price, coins] = await Promise.all([
      rpc.call("eth_getTransactionCount", [from, "latest"], heightSchema),
      gasOf(from, payment),
      readGasPrice(rpc),
      balanceAt(rpc, instruments, from, instruments.native),
    ]);
    const { maxFeePerGas, maxPriorityFeePerGas } = boundedFees(price, caps);
    const affordable = payment.slug === instruments.native ? maxFeePerGas : coins / gas;
    if (affordable < price.baseFee + maxPriorityFeePerGas) return null;
    return handleOf({
      from,
      nonce: nextNonce(from, mined, reserved),
      gas,
      maxFeePerGas: minOf(affordable, maxFeePerGas),
      maxPriorityFeePerGas,
    });
  };

  return {
    depositBalance: async ({ address }, slug) => {
      await checkChain();
      return balanceAt(rpc, instruments, getAddress(address), slug);
    },
    sweepCost: async ({ address }, payment) => {
      await checkChain();
      const [gas, price] = await Promise.all([gasOf(getAddress(address), payment), readGasPrice(rpc)]);
      const { maxFeePerGas, maxPriorityFeePerGas } = boundedFees(price, caps);
      if (payment.slug === instruments.native) return gas * maxFeePerGas;
      // What isn't burnt of it stays at an address that may never be used again.
      const needed = expectedCost(gas, { baseFee: price.baseFee, priorityFee: maxPriorityFeePerGas });
      return minOf(needed, gas * maxFeePerGas);
    },
    chooseSweepHandle,
    prepareSweep: async (source, payment, handle) =>
      signTransfer({ account: accountOf(source), chainId, instruments, caps }, payment, handle),
    prepareSweepCancellation: async (source, handle, stuck) => {
      await checkChain();
      const signer = { account: accountOf(source), chainId, instruments, caps };
      return signCancellation(signer, handle, stuck, boundedFees(await readGasPrice(rpc), caps));
    },
    prepareSweepReplacement: async (source, payment, handle, stuck) => {
      await checkChain();
      const coins = () => balanceAt(rpc, instruments, getAddress(source.address), instruments.native);
      const isFeeIncluded = payment.slug === instruments.native;
      const signer = { account: accountOf(source), chainId, instruments, caps };
      return signReplacement(rpc, signer, { payment, handle, stuck, coins, isFeeIncluded });
    },
  };
}
