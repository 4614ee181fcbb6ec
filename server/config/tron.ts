import { z } from "zod";
import { address, extendedPublicKey, mnemonicPhrase, wholeNumber } from "./values.ts";

/** The node of TRON and the keys. */
export type TronNode = Readonly<{
  rpcUrl: string;
  /** Where `/walletsolidity` is served; a node of one's own has another port for it. */
  solidityUrl: string;
  /** The last four bytes of the chain's first block: a node that serves another one is refused. */
  chainId: number;
  apiKey: string | null;
  xpub: string | null;
  /** Signs; null where ROLES=web, because only a worker may hold keys. */
  mnemonic: string | null;
}>;

/** The main network's. */
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

type Values = {
  TRON_RPC_URL?: string | undefined;
  TRON_SOLIDITY_URL?: string | undefined;
  TRON_CHAIN_ID: number;
  TRON_API_KEY?: string | undefined;
  TRON_XPUB?: string | undefined;
  TRON_MNEMONIC?: string | undefined;
};

/** Null where no node is configured. */
export function tronNode(values: Values): TronNode | null {
  const rpcUrl = values.TRON_RPC_URL;
  if (rpcUrl === undefined) return null;
  return Object.freeze({
    rpcUrl,
    solidityUrl: values.TRON_SOLIDITY_URL ?? rpcUrl,
    chainId: values.TRON_CHAIN_ID,
    apiKey: values.TRON_API_KEY ?? null,
    xpub: values.TRON_XPUB ?? null,
    mnemonic: values.TRON_MNEMONIC ?? null,
  });
}

export const TRON_KEY = "TRON_MNEMONIC";
