import { ConfigError } from "../../base/startup-error.ts";
import { CatalogueError, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { NetworkReader, NetworkWallet } from "../port.ts";
import { tronDepositXpub, tronHotAccount } from "./keys.ts";
import { createTronNetwork, createTronWallet } from "./network.ts";

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
  const active = [...instruments.values()]
    .filter(({ networkTitle, isActive }) => networkTitle === NETWORK && isActive)
    .map(({ slug, contractAddress, decimals }) => ({ slug, contractAddress, decimals }));
  if (!active.some(({ contractAddress }) => contractAddress === null))
    throw new CatalogueError([`${NETWORK}'s own coin is not active, and TRON_RPC_URL is set`]);
  const xpub = mnemonic === null ? node.xpub : tronDepositXpub(mnemonic);
  if (xpub === null) throw new ConfigError("TRON_RPC_URL needs TRON_XPUB, or TRON_MNEMONIC with the worker role");
  const options = { ...node, networkTitle: NETWORK, instruments: active, timeoutMs: NODE_TIMEOUT_MS };
  const hotAddress = mnemonic === null ? null : tronHotAccount(mnemonic).address;
  return {
    reader: createTronNetwork({ ...options, xpub, hotAddress }),
    wallet: mnemonic === null ? null : createTronWallet({ ...options, mnemonic }),
  };
}
