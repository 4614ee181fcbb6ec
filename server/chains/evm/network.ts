import { CatalogueError, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { SweepingWallet, NetworkReader, NetworkWallet } from "../port.ts";
import type { EvmCaps } from "./caps.ts";
import { readInstruments, type EvmInstrument } from "./instruments.ts";
import { depositAccounts, hotAccount } from "./keys.ts";
import { createEvmReader, type EvmReader } from "./reader.ts";
import { createEvmRpc } from "./rpc.ts";
import { createEvmSweeper } from "./sweeper.ts";
import { createEvmWalletFrom } from "./wallet.ts";

/** @internal Exported for its tests. */
export type EvmNetworkOptions = {
  /** The network's own coin, such as `ETH`. */
  networkTitle: string;
  rpcUrl: string;
  /** A node that serves another chain is refused. */
  chainId: number;
  instruments: readonly EvmInstrument[];
  /** The limit of each call to the node. */
  timeoutMs: number;
};

/**
 * An EVM network to read: deposit addresses below `xpub` (m/44'/60'/0'/0), blocks, fees. It holds no key and connects on first use.
 *
 * @internal Exported for its tests.
 */
export function createEvmNetwork(options: EvmNetworkOptions & { xpub: string; hotAddress?: string | null }): EvmReader {
  const { networkTitle, chainId, xpub, hotAddress = null } = options;
  const instruments = readInstruments(options.instruments);
  return createEvmReader(createEvmRpc(options.rpcUrl, options.timeoutMs), {
    networkTitle,
    chainId,
    instruments,
    xpub,
    hotAddress,
  });
}

/**
 * The wallet that pays out on an EVM network, from m/44'/60'/1'/0/0 of the mnemonic, and sweeps its deposit addresses there (engine law
 * 14: worker role only).
 *
 * @internal Exported for its tests.
 */
export function createEvmWallet(options: EvmNetworkOptions & { mnemonic: string; caps: EvmCaps }): SweepingWallet {
  const { networkTitle, chainId, caps } = options;
  const instruments = readInstruments(options.instruments);
  const rpc = createEvmRpc(options.rpcUrl, options.timeoutMs);
  const account = hotAccount(options.mnemonic);
  const accountAt = depositAccounts(options.mnemonic);
  return {
    ...createEvmWalletFrom(rpc, { networkTitle, chainId, instruments, account, caps }),
    ...createEvmSweeper(rpc, { chainId, instruments, caps, accountAt }),
  };
}

const NETWORK = "ETH";
const NODE_TIMEOUT_MS = 5_000;

export type EvmNode = {
  rpcUrl: string;
  chainId: number;
  xpub: string;
  hotAddress: string | null;
  /** Null without the worker role, and where none was configured. */
  mnemonic: string | null;
};

/** Ethereum over a node: every role reads, only a worker with keys pays (engine law 14). */
export function openEvm(
  { rpcUrl, chainId, xpub, hotAddress, mnemonic }: EvmNode,
  instruments: ReadonlyMap<string, CatalogueInstrument>,
): { reader: NetworkReader; wallet: NetworkWallet | null } {
  const traded = [...instruments.values()].filter(
    (instrument) => instrument.networkTitle === NETWORK && instrument.isActive,
  );
  const [first] = traded;
  if (first === undefined) throw new CatalogueError([`no instrument of ${NETWORK} is active`]);
  const active = traded.map(({ slug, contractAddress, decimals }) => ({ slug, contractAddress, decimals }));
  const options = { networkTitle: NETWORK, rpcUrl, chainId, instruments: active, timeoutMs: NODE_TIMEOUT_MS };
  return {
    reader: createEvmNetwork({ ...options, xpub, hotAddress }),
    wallet: mnemonic === null ? null : createEvmWallet({ ...options, mnemonic, caps: first.caps }),
  };
}
