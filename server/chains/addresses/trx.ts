import { bytesToHex, hexToBytes } from "viem";
import { base58checkParser, base58check } from "./parser.ts";
import { isMadeUp, addressesIn } from "./unspendable/unspendable.ts";

const TRX_UNSPENDABLE = addressesIn({
  'java-tron, genesis block: the account "Blackhole"': ["TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
});

export const TRON_VERSION = 0x41;

/** TRON: base58check of 0x41 and 20 bytes, which always begins with "T". The 21 bytes in hex carry no checksum and are refused. */
export const parseTrxAddress = base58checkParser(
  new Set([TRON_VERSION]),
  (text, hash) => TRX_UNSPENDABLE.has(text) || isMadeUp(text, hash),
);

/** Any account, also one that nobody should be paid at: whoever reads a chain meets them. */
const parseAccount = base58checkParser(new Set([TRON_VERSION]), () => false);

/** An address as people write it, from the 21 bytes that the node's API writes in hex. */
export const base58OfHex = (hex: string): string => base58check.encode(hexToBytes(`0x${hex}`));

/** The 21 bytes of an address in hex, as the node's API wants them. Throws for what is no address of TRON. */
export function hexOfBase58(address: string): string {
  const parsed = parseAccount(address);
  if (!parsed.valid) throw new Error(`${address} is not an address of TRON`);
  return bytesToHex(base58check.decode(parsed.canonical)).slice(2);
}

/** The account of a key has the same 20 bytes here as on an EVM chain, behind TRON's own first byte. */
export const base58OfEvm = (evmAddress: string): string =>
  base58OfHex(`${TRON_VERSION.toString(16)}${evmAddress.slice(2).toLowerCase()}`);

/** The word that stands for an address in a contract's call and in its logs: the 20 bytes, without TRON's own first one. */
export const wordOf = (address: string): string => hexOfBase58(address).slice(2).padStart(64, "0");
