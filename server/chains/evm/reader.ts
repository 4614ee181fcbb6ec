import { getAddress } from "viem";
import { maxOf } from "#contract/money.ts";
import { evmPaymentUri, parseEvmAddress } from "../addresses/evm.ts";
import { WrongChainError, type DepositAddress, type NetworkReader } from "../port.ts";
import { balancesAt } from "./balances.ts";
import { readBlock, readBlockRef, readHead } from "./blocks.ts";
import { estimateTransferGas, expectedCost, NATIVE_GAS, readGasPrice, USUAL_TOKEN_GAS } from "./fees.ts";
import type { EvmInstruments } from "./instruments.ts";
import { addressesBelow } from "./keys.ts";
import type { EvmRpc } from "./rpc.ts";
import { quantitySchema } from "./schemas.ts";

export type EvmReaderOptions = {
  networkTitle: string;
  chainId: number;
  instruments: EvmInstruments;
  /** The extended public key of the branch m/44'/60'/0'/0. */
  xpub: string;
  /** The treasury's address: token fees are estimated from it, and nobody is paid at it. */
  hotAddress: string | null;
};

/** An EVM address is derived on the spot. */
export type EvmReader = Omit<NetworkReader, "depositAddress"> & { depositAddress(index: bigint): DepositAddress };

/** The keyless side of an EVM network (`port.ts`). Reads throw when the node fails or serves another chain. */
export function createEvmReader(rpc: EvmRpc, options: EvmReaderOptions): EvmReader {
  const { networkTitle, chainId, instruments } = options;
  const hotAddress = options.hotAddress === null ? null : getAddress(options.hotAddress);
  const refused = new Set([...instruments.tokens.keys(), ...(hotAddress === null ? [] : [hotAddress])]);
  const addressAt = addressesBelow(options.xpub);
  const checkChain = checkChainOnce(rpc, chainId);

  const gasFor = async (slug: string) => {
    const contract = instruments.contractOf(slug);
    if (contract === null) return NATIVE_GAS;
    if (hotAddress === null) return USUAL_TOKEN_GAS;
    // To an address that holds none of it yet, which is the dearest case.
    const to = getAddress(addressAt(0n));
    const estimated = await estimateTransferGas(rpc, { from: hotAddress, to, contract, amount: 1n });
    return maxOf(estimated, USUAL_TOKEN_GAS);
  };

  return {
    networkTitle,
    feeSlug: instruments.native,
    chain: `eip155:${chainId}`,
    addressSpace: "evm",
    parseAddress: (text) => parseEvmAddress(text, refused),
    depositAddress: (index) => ({ address: addressAt(index), memo: null }),
    depositUri: (toAddress, _memo, slug, amount) =>
      evmPaymentUri({ chainId, toAddress, contractAddress: instruments.contractOf(slug), amount }),
    head: async () => {
      await checkChain();
      return readHead(rpc);
    },
    blockAt: async (height) => {
      await checkChain();
      return readBlock(rpc, instruments, height, hotAddress);
    },
    blockRefAt: async (height) => {
      await checkChain();
      return readBlockRef(rpc, height);
    },
    balancesAt: async (blockHash, asked) => {
      await checkChain();
      return balancesAt(rpc, instruments, blockHash, asked);
    },
    estimateFee: async (slug) => {
      await checkChain();
      const [gas, price] = await Promise.all([gasFor(slug), readGasPrice(rpc)]);
      return expectedCost(gas, price);
    },
  };
}

/** Checks once which chain the node serves; until the check passes, every call repeats it. */
export function checkChainOnce(rpc: EvmRpc, chainId: number): () => Promise<void> {
  let isChecked = false;
  return async () => {
    if (isChecked) return;
    const answered = await rpc.call("eth_chainId", [], quantitySchema);
    if (answered !== BigInt(chainId)) throw new WrongChainError(`the node serves chain ${answered}, not ${chainId}`);
    isChecked = true;
  };
}
