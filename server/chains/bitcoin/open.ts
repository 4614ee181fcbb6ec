import { ConfigError } from "../../base/startup-error.ts";
import { CatalogueError, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { NetworkReader, NetworkWallet } from "../port.ts";
import { chainOf } from "./chain-params.ts";
import { depositXpub, hotKey } from "./keys.ts";
import { createBitcoinNetwork, createBitcoinWallet } from "./network.ts";

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
  if (instruments.get(chain.coin)?.isActive !== true)
    throw new CatalogueError([`${chain.coin} is not active, and ${networkTitle}_RPC_URL is set`]);
  const xpub = mnemonic === null ? configuredXpub : depositXpub(chain, mnemonic);
  if (xpub === null)
    throw new ConfigError(
      `${networkTitle}_RPC_URL needs ${networkTitle}_XPUB, or ${networkTitle}_MNEMONIC with the worker role`,
    );
  const options = { networkTitle, kind, rpcUrl, timeoutMs: NODE_TIMEOUT_MS } as const;
  const hotAddress = mnemonic === null ? null : hotKey(chain, mnemonic).address;
  return {
    reader: createBitcoinNetwork({ ...options, xpub, hotAddress }),
    wallet: mnemonic === null ? null : createBitcoinWallet({ ...options, mnemonic }),
  };
}
