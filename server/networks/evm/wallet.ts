import { getAddress, keccak256, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import * as z from "zod";
import type { Handle, NetworkWallet, Payment } from "../port.ts";
import { bytesSchema, heightSchema, quantitySchema } from "./answers.ts";
import { broadcastRaw } from "./broadcast.ts";
import { decodeBalanceOf, encodeBalanceOf, encodeTransfer } from "./erc20.ts";
import { estimateTransferGas, feeCap, readGasPrice } from "./fees.ts";
import type { EvmInstruments } from "./instruments.ts";
import { lookUp } from "./lookup.ts";
import { checkChainOnce } from "./reader.ts";
import type { Rpc } from "./rpc.ts";

export type EvmWalletOptions = {
  networkTitle: string;
  chainId: number;
  instruments: EvmInstruments;
  account: PrivateKeyAccount;
};

const amountSchema = z.string().regex(/^\d+$/).transform(BigInt);

/** A handle fixes the nonce, which lets one transaction at most take effect, and the fees, so that preparing twice gives the same bytes. */
const handleSchema = z.object({
  from: z.string(),
  nonce: z.int().nonnegative(),
  gas: amountSchema,
  maxFeePerGas: amountSchema,
  maxPriorityFeePerGas: amountSchema,
});

/** The paying side of an EVM network (networks port): an account that signs here, nonces that the caller reserves. */
export function createEvmWalletOver(rpc: Rpc, options: EvmWalletOptions): NetworkWallet {
  const { networkTitle, chainId, instruments, account } = options;
  const from = account.address;
  const onRightChain = checkChainOnce(rpc, chainId);

  const hotBalance = async (slug: string) => {
    await onRightChain();
    const contract = instruments.contractOf(slug);
    if (contract === null) return rpc.call("eth_getBalance", [from, "latest"], quantitySchema);
    const data = await rpc.call("eth_call", [{ to: contract, data: encodeBalanceOf(from) }, "latest"], bytesSchema);
    return decodeBalanceOf(data as Hex);
  };

  const chooseHandle = async (payment: Payment, reserved: readonly Handle[]): Promise<Handle> => {
    await onRightChain();
    const { to, contract } = destinationOf(payment);
    const [mined, gas, price] = await Promise.all([
      // Not "pending": what this node has queued is not what is reserved, and it may forget it.
      rpc.call("eth_getTransactionCount", [from, "latest"], heightSchema),
      estimateTransferGas(rpc, { from, to, contract, amount: payment.amount }),
      readGasPrice(rpc),
    ]);
    const nonce = Math.max(mined, ...reserved.map((handle) => reservedNonce(handle) + 1));
    const fees = { maxFeePerGas: `${feeCap(price)}`, maxPriorityFeePerGas: `${price.priorityFee}` };
    return { keys: [`${from}:${nonce}`], data: { from, nonce, gas: `${gas}`, ...fees } };
  };

  const reservedNonce = (handle: Handle): number => {
    const { from: owner, nonce } = handleSchema.parse(handle.data);
    return owner === from ? nonce : -1;
  };

  const prepare = async (payment: Payment, handle: Handle) => {
    const { from: owner, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = handleSchema.parse(handle.data);
    if (owner !== from) throw new Error(`the handle ${handle.keys.join()} belongs to another wallet`);
    const { to, contract } = destinationOf(payment);
    const what =
      contract === null ? { to, value: payment.amount } : { to: contract, data: encodeTransfer(to, payment.amount) };
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId,
      nonce,
      gas,
      maxFeePerGas,
      maxPriorityFeePerGas,
      ...what,
    });
    return { raw, txId: keccak256(raw) };
  };

  const destinationOf = (payment: Payment) => ({
    to: getAddress(payment.toAddress),
    contract: instruments.contractOf(payment.slug),
  });

  return {
    networkTitle,
    hotAddress: () => from,
    hotBalance,
    chooseHandle,
    prepare,
    broadcast: (prepared) => broadcastRaw(rpc, prepared, onRightChain),
    lookup: async (txId) => {
      await onRightChain();
      return lookUp(rpc, txId);
    },
  };
}
