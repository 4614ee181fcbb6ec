import { CatalogueError } from "../catalogue/index.ts";
import { ConfigError } from "../base/startup-error.ts";
import { tronDepositXpub, tronHotAccount } from "../chains/tron/keys.ts";
import { createTronNetwork, createTronWallet } from "../chains/tron/network.ts";
import type { DriverParts, OpenNetwork } from "./driver.ts";

const NETWORK = "TRX";
const NODE_TIMEOUT_MS = 10_000;

/** TRON over the operator's node; null where none is configured. Every role reads, only a worker with keys pays (engine law 14). */
export function openTron({ config, catalogue }: DriverParts): OpenNetwork | null {
  if (config.tron === null) return null;
  const { mnemonic, ...node } = config.tron;
  const instruments = [...catalogue.instruments.values()]
    .filter(({ networkTitle, isActive }) => networkTitle === NETWORK && isActive)
    .map(({ slug, contractAddress, decimals }) => ({ slug, contractAddress, decimals }));
  if (!instruments.some(({ contractAddress }) => contractAddress === null))
    throw new CatalogueError([`${NETWORK}'s own coin is not active, and TRON_RPC_URL is set`]);
  const xpub = mnemonic === null ? node.xpub : tronDepositXpub(mnemonic);
  if (xpub === null) throw new ConfigError("TRON_RPC_URL needs TRON_XPUB, or TRON_MNEMONIC with the worker role");
  const options = { ...node, networkTitle: NETWORK, instruments, timeoutMs: NODE_TIMEOUT_MS };
  const hotAddress = mnemonic === null ? null : tronHotAccount(mnemonic).address;
  return {
    reader: createTronNetwork({ ...options, xpub, hotAddress }),
    wallet: mnemonic === null ? null : createTronWallet({ ...options, mnemonic }),
    sandbox: null,
  };
}
