import { z } from "zod";
import { ConfigError } from "../base/processes/startup-error.ts";
import { addresses, extendedPublicKey, mnemonicPhrase, type Values, wholeNumber } from "./values.ts";

const MAINNET = 0x2b66_53dc;
const LARGEST = 0xffff_ffff;

/** The main network, Shasta and Nile: a local chain has another first block. */
export const TRON_PUBLIC_CHAINS: ReadonlySet<number> = new Set([MAINNET, 0x94a9_059e, 0xcd8_690dc]);

export const tronVariables = {
  TRON_RPC_URL: addresses(["http:", "https:"]).optional(),
  TRON_SOLIDITY_URL: addresses(["http:", "https:"]).optional(),
  TRON_CHAIN_ID: wholeNumber(1, LARGEST, `must be a whole number from 1 to ${LARGEST}`).default(MAINNET),
  TRON_API_KEY: z
    .string()
    .regex(/^[\w-]+$/, "must be a key as TronGrid gives it")
    .optional(),
  TRON_XPUB: extendedPublicKey().optional(),
  TRON_MNEMONIC: mnemonicPhrase().optional(),
};

export const tronSecrets = ["TRON_MNEMONIC"] as const;

/** The node of TRON and the keys. */
export type TronConfig = Readonly<{
  rpcUrl: string;
  /** Where `/walletsolidity` is served; java-tron has another port for it. */
  solidityUrl: string;
  /** Further nodes of the same chain. */
  others: readonly { rpcUrl: string; solidityUrl: string }[];
  /** The last four bytes of the chain's first block: a node that serves another one is refused. */
  chainId: number;
  apiKey: string | null;
  xpub: string | null;
  /** Signs; null where ROLES=web, because only a worker may hold keys. */
  mnemonic: string | null;
}>;

/** Null where no node is configured: the sandbox simulates the network then. */
export function tronConfig(value: Values<typeof tronVariables>): TronConfig | null {
  const urls = value.TRON_RPC_URL;
  if (urls === undefined) return null;
  const solidityUrls = value.TRON_SOLIDITY_URL ?? urls;
  if (solidityUrls.length !== urls.length)
    throw new ConfigError("TRON_SOLIDITY_URL needs one URL for each of TRON_RPC_URL, in the same order");
  const nodes = urls.map((rpcUrl, at) => ({ rpcUrl, solidityUrl: solidityUrls[at] ?? rpcUrl }));
  return Object.freeze({
    rpcUrl: urls[0],
    solidityUrl: solidityUrls[0],
    others: nodes.slice(1),
    chainId: value.TRON_CHAIN_ID,
    apiKey: value.TRON_API_KEY ?? null,
    xpub: value.TRON_XPUB ?? null,
    mnemonic: value.TRON_MNEMONIC ?? null,
  });
}
