import { ConfigError } from "../../base/processes/startup-error.ts";
import { CatalogueError, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { SweepingWallet, NetworkReader, NetworkWallet } from "../port.ts";
import { readTronInstruments, type TronInstrument } from "./instruments.ts";
import { tronDepositAccounts, tronHotAccount, tronDepositXpub } from "./keys.ts";
import { createTronReader, type TronReader } from "./reader.ts";
import { createTronRpc, type TronNodeOptions } from "./rpc.ts";
import { createTronWalletFrom } from "./wallet.ts";

/** @internal Exported for its tests. */
export type TronNetworkOptions = TronNodeOptions & {
  /** `TRX`. */
  networkTitle: string;
  /** A node that serves another chain is refused. */
  chainId: number;
  instruments: readonly TronInstrument[];
};

/**
 * TRON to read: deposit addresses below `xpub` (m/44'/195'/0'/0), solidified blocks, fees. It holds no key and connects on first use.
 *
 * @internal Exported for its tests.
 */
export function createTronNetwork(
  options: TronNetworkOptions & { xpub: string; hotAddress?: string | null },
): TronReader {
  const { networkTitle, chainId, xpub, hotAddress = null } = options;
  const instruments = readTronInstruments(options.instruments);
  return createTronReader(createTronRpc(options), { networkTitle, chainId, instruments, xpub, hotAddress });
}

/**
 * The wallet that pays out on TRON, from m/44'/195'/1'/0/0 of the mnemonic (engine law 14: worker role only).
 *
 * @internal Exported for its tests.
 */
export function createTronWallet(options: TronNetworkOptions & { mnemonic: string; feeLimit: bigint }): SweepingWallet {
  const { networkTitle, chainId, mnemonic, feeLimit } = options;
  return createTronWalletFrom(createTronRpc(options), {
    networkTitle,
    chainId,
    instruments: readTronInstruments(options.instruments),
    account: tronHotAccount(mnemonic),
    feeLimit,
    depositAccountAt: tronDepositAccounts(mnemonic),
  });
}

const NETWORK = "TRX";
const NODE_TIMEOUT_MS = 10_000;

/** `mnemonic` is null without the worker role, `xpub` where it follows from the mnemonic. */
export type TronNode = {
  rpcUrl: string;
  solidityUrl: string;
  chainId: number;
  apiKey: string | null;
  xpub: string | null;
  mnemonic: string | null;
};

/** TRON over the operator's node: every role reads, only a worker with keys pays (engine law 14). */
export function openTron(
  { mnemonic, ...node }: TronNode,
  instruments: ReadonlyMap<string, CatalogueInstrument>,
): { reader: NetworkReader; wallet: NetworkWallet | null } {
  const traded = [...instruments.values()].filter(({ networkTitle, isActive }) => networkTitle === NETWORK && isActive);
  const coin = traded.find(({ contractAddress }) => contractAddress === null);
  if (coin === undefined)
    throw new CatalogueError([
      `${NETWORK}'s own coin is not active, and TRON_RPC_URL is set: set its isActive in CATALOGUE_FILE`,
    ]);
  const xpub = mnemonic === null ? node.xpub : tronDepositXpub(mnemonic);
  if (xpub === null) throw new ConfigError("TRON_RPC_URL needs TRON_XPUB, or TRON_MNEMONIC with the worker role");
  const active = traded.map(({ slug, contractAddress, decimals }) => ({ slug, contractAddress, decimals }));
  const options = { ...node, networkTitle: NETWORK, instruments: active, timeoutMs: NODE_TIMEOUT_MS };
  const hotAddress = mnemonic === null ? null : tronHotAccount(mnemonic).address;
  return {
    reader: createTronNetwork({ ...options, xpub, hotAddress }),
    wallet: mnemonic === null ? null : createTronWallet({ ...options, mnemonic, feeLimit: coin.caps.feeLimit }),
  };
}
