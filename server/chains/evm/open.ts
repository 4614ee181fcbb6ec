import { CatalogueError, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { NetworkReader, NetworkWallet } from "../port.ts";
import { createEvmNetwork, createEvmWallet } from "./network.ts";

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
  const active = [...instruments.values()]
    .filter((instrument) => instrument.networkTitle === NETWORK && instrument.isActive)
    .map(({ slug, contractAddress, decimals }) => ({ slug, contractAddress, decimals }));
  if (active.length === 0) throw new CatalogueError([`no instrument of ${NETWORK} is active`]);
  const options = { networkTitle: NETWORK, rpcUrl, chainId, instruments: active, timeoutMs: NODE_TIMEOUT_MS };
  return {
    reader: createEvmNetwork({ ...options, xpub, hotAddress }),
    wallet: mnemonic === null ? null : createEvmWallet({ ...options, mnemonic }),
  };
}
