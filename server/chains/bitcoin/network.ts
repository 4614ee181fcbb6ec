import type { NetworkWallet } from "../port.ts";
import { chainOf, type ChainKind } from "./chain-params.ts";
import { hotKey } from "./keys.ts";
import { checkChainOnce, createBitcoinReader, type BitcoinReader } from "./reader.ts";
import { createBitcoinRpc } from "./rpc.ts";
import { createBitcoinWalletFrom } from "./wallet.ts";

export type BitcoinNetworkOptions = {
  /** `BTC`, `LTC` or `DOGE`. */
  networkTitle: string;
  kind: ChainKind;
  /** With the node's user and password. */
  rpcUrl: string;
  /** The limit of each call to the node. */
  timeoutMs: number;
};

/** A chain of Bitcoin's family to read: deposit addresses below `xpub`, blocks, fees. It holds no key and connects on first use. */
export function createBitcoinNetwork(
  options: BitcoinNetworkOptions & { xpub: string; hotAddress?: string | null },
): BitcoinReader {
  const chain = chainOf(options.networkTitle, options.kind);
  const rpc = createBitcoinRpc(options.rpcUrl, options.timeoutMs);
  const { xpub, hotAddress = null } = options;
  return createBitcoinReader(rpc, chain, { xpub, hotAddress }, checkChainOnce(rpc, chain));
}

/** The wallet that pays out on such a chain, from m/84'/coin'/1'/0/0 of the mnemonic (engine law 14: worker role only). */
export function createBitcoinWallet(options: BitcoinNetworkOptions & { mnemonic: string }): NetworkWallet {
  const chain = chainOf(options.networkTitle, options.kind);
  const rpc = createBitcoinRpc(options.rpcUrl, options.timeoutMs);
  return createBitcoinWalletFrom(rpc, chain, hotKey(chain, options.mnemonic), checkChainOnce(rpc, chain));
}
