import { ConfigError } from "../base/processes/startup-error.ts";
import { addresses, count, extendedPublicKey, mnemonicPhrase, portNumber, type Values } from "./values.ts";

/** Hardhat's, anvil's and Ganache's: nothing on them is worth anything. */
export const EVM_DEVELOPMENT_CHAINS: ReadonlySet<number> = new Set([31_337, 1_337]);

export const evmVariables = {
  DEVNET_EVM_PORT: portNumber().default(8545),
  EVM_RPC_URL: addresses(["http:", "https:"]).optional(),
  EVM_CHAIN_ID: count().default(1),
  EVM_XPUB: extendedPublicKey().optional(),
  EVM_MNEMONIC: mnemonicPhrase().optional(),
};

export const evmSecrets = ["EVM_MNEMONIC"] as const;

/** The Ethereum node and the keys. */
export type EvmConfig = Readonly<{
  /** Null: the local devnet. */
  rpcUrl: string | null;
  /** Further nodes of the same chain. */
  otherRpcUrls: readonly string[];
  /** A node that serves another chain is refused; the devnet has its own. */
  chainId: number;
  xpub: string | null;
  /** Signs; null where ROLES=web, because only a worker may hold keys. */
  mnemonic: string | null;
  /** Where the devnet listens. */
  devnetPort: number;
}>;

export const evmConfig = (value: Values<typeof evmVariables>): EvmConfig =>
  Object.freeze({
    rpcUrl: value.EVM_RPC_URL?.[0] ?? null,
    otherRpcUrls: value.EVM_RPC_URL?.slice(1) ?? [],
    chainId: value.EVM_CHAIN_ID,
    xpub: value.EVM_XPUB ?? null,
    mnemonic: value.EVM_MNEMONIC ?? null,
    devnetPort: value.DEVNET_EVM_PORT,
  });

/** Throws `ConfigError` for a node without keys: at the start, before the database is changed. The admin CLI needs none. */
export function requireEvmKeys({ rpcUrl, xpub, mnemonic }: Pick<EvmConfig, "rpcUrl" | "xpub" | "mnemonic">): void {
  if (rpcUrl !== null && xpub === null && mnemonic === null)
    throw new ConfigError("EVM_RPC_URL needs EVM_XPUB, or EVM_MNEMONIC with the worker role");
}
