import { z } from "zod";
import { address, extendedPublicKey, mnemonicPhrase, type Values, wholeNumber } from "./values.ts";

const MAINNET = 0x2b66_53dc;
const LARGEST = 0xffff_ffff;

export const tronVariables = {
  TRON_RPC_URL: address(["http:", "https:"]).optional(),
  TRON_SOLIDITY_URL: address(["http:", "https:"]).optional(),
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
  /** The last four bytes of the chain's first block: a node that serves another one is refused. */
  chainId: number;
  apiKey: string | null;
  xpub: string | null;
  /** Signs; null where ROLES=web, because only a worker may hold keys. */
  mnemonic: string | null;
}>;

/** Null where no node is configured: the sandbox simulates the network then. */
export function tronConfig(value: Values<typeof tronVariables>): TronConfig | null {
  const rpcUrl = value.TRON_RPC_URL;
  if (rpcUrl === undefined) return null;
  return Object.freeze({
    rpcUrl,
    solidityUrl: value.TRON_SOLIDITY_URL ?? rpcUrl,
    chainId: value.TRON_CHAIN_ID,
    apiKey: value.TRON_API_KEY ?? null,
    xpub: value.TRON_XPUB ?? null,
    mnemonic: value.TRON_MNEMONIC ?? null,
  });
}
