import { ConfigError } from "../../base/processes/startup-error.ts";
import { CatalogueError, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { NetworkWallet, NetworkReader } from "../port.ts";
import { chainOf, type ChainKind } from "./chain-params.ts";
import { hotKey, depositXpub } from "./keys.ts";
import { checkChainOnce, createBitcoinReader, type BitcoinReader } from "./reader.ts";
import { createBitcoinRpc } from "./rpc.ts";
import { createBitcoinWalletFrom } from "./wallet.ts";

/** @internal Exported for its tests. */
export type BitcoinNetworkOptions = {
  /** `BTC`, `LTC` or `DOGE`. */
  networkTitle: string;
  kind: ChainKind;
  /** With the node's user and password. */
  rpcUrl: string;
  /** The limit of each call to the node. */
  timeoutMs: number;
};

/**
 * A chain of Bitcoin's family to read: deposit addresses below `xpub`, blocks, fees. It holds no key and connects on first use.
 *
 * @internal Exported for its tests.
 */
export function createBitcoinNetwork(
  options: BitcoinNetworkOptions & { xpub: string; hotAddress?: string | null },
): BitcoinReader {
  const chain = chainOf(options.networkTitle, options.kind);
  const rpc = createBitcoinRpc(options.rpcUrl, options.timeoutMs);
  const { xpub, hotAddress = null } = options;
  return createBitcoinReader(rpc, chain, { xpub, hotAddress }, checkChainOnce(rpc, chain));
}

/**
 * The wallet that pays out on such a chain, from m/84'/coin'/1'/0/0 of the mnemonic (engine law 14: worker role only).
 *
 * @internal Exported for its tests.
 */
export function createBitcoinWallet(
  options: BitcoinNetworkOptions & { mnemonic: string; feePerByte?: bigint | null },
): NetworkWallet {
  const known = chainOf(options.networkTitle, options.kind);
  const chain = { ...known, fees: { ...known.fees, cap: options.feePerByte ?? known.fees.cap } };
  const rpc = createBitcoinRpc(options.rpcUrl, options.timeoutMs);
  return createBitcoinWalletFrom(rpc, chain, hotKey(chain, options.mnemonic), checkChainOnce(rpc, chain));
}

const NODE_TIMEOUT_MS = 15_000;

/** `mnemonic` is null without the worker role, `xpub` where it follows from the mnemonic. */
export type BitcoinNode = { rpcUrl: string; xpub: string | null; mnemonic: string | null };

/** A coin of Bitcoin's family over its node. */
export function openBitcoin(
  networkTitle: string,
  { rpcUrl, mnemonic, xpub: configuredXpub }: BitcoinNode,
  kind: "main" | "regtest",
  instruments: ReadonlyMap<string, CatalogueInstrument>,
): { reader: NetworkReader; wallet: NetworkWallet | null } {
  const chain = chainOf(networkTitle, kind);
  const coin = instruments.get(chain.coin);
  if (coin?.isActive !== true)
    throw new CatalogueError([
      `${chain.coin} is not active, and ${networkTitle}_RPC_URL is set: set its isActive in CATALOGUE_FILE`,
    ]);
  const xpub = mnemonic === null ? configuredXpub : depositXpub(chain, mnemonic);
  if (xpub === null)
    throw new ConfigError(
      `${networkTitle}_RPC_URL needs ${networkTitle}_XPUB, or ${networkTitle}_MNEMONIC with the worker role`,
    );
  const options = { networkTitle, kind, rpcUrl, timeoutMs: NODE_TIMEOUT_MS } as const;
  const hotAddress = mnemonic === null ? null : hotKey(chain, mnemonic).address;
  return {
    reader: createBitcoinNetwork({ ...options, xpub, hotAddress }),
    wallet: mnemonic === null ? null : createBitcoinWallet({ ...options, mnemonic, feePerByte: coin.caps.feePerByte }),
  };
}
