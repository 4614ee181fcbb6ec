import { getAddress, hexToBytes } from "viem";
import type { ParsedAddress } from "../port.ts";
import { INVALID, UNPAYABLE } from "./parser.ts";
import { isMadeUp, addressesIn } from "./unspendable/unspendable.ts";

/** Contracts of the protocol, which keep or burn what they get. Precompiles and burn addresses show by their runs of equal bytes. */
const SYSTEM_CONTRACTS = addressesIn({
  "Ethereum consensus specification, deposit contract": ["0x00000000219ab540356cBB839Cbe05303d7705Fa"],
  "EIP-4788, beacon block roots": ["0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02"],
  "EIP-2935, block hashes": ["0x0000F90827F1C53a10cb7A02335B175320002935"],
  "EIP-7002, withdrawal requests": ["0x00000961Ef480Eb55e80D19ad83579A64c007002"],
  "EIP-7251, consolidation requests": ["0x0000BBdDc7CE488642fb579F8B00f3a590007251"],
});

const EVM_UNSPENDABLE: ReadonlySet<string> = new Set([...SYSTEM_CONTRACTS].map((text) => getAddress(text)));

const HEX_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Reads an address of an EVM network. The canonical form carries the checksum of EIP-55; mixed case must match it, while all-lower
 * and all-upper hex carry no checksum and are taken as they are. Where value is lost is refused: the zero address, precompiled and
 * system contracts, burn addresses. `refused` lists more canonical addresses that nobody may be paid at.
 */
export function parseEvmAddress(text: string, refused: ReadonlySet<string> = new Set()): ParsedAddress {
  if (!HEX_ADDRESS.test(text)) return INVALID;
  const canonical = getAddress(text.toLowerCase());
  const digits = text.slice(2);
  const carriesChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (carriesChecksum && text !== canonical) return INVALID;
  const isLost = EVM_UNSPENDABLE.has(canonical) || isMadeUp("", hexToBytes(canonical));
  if (isLost || refused.has(canonical)) return UNPAYABLE;
  return { valid: true, canonical };
}

/** What a wallet is asked to send; `contractAddress` is null for the network's own coin, `amount` counts minor units. */
export type EvmUriRequest = { chainId: number; toAddress: string; contractAddress: string | null; amount: bigint };

/** Writes the payment URI of EIP-681. */
export function evmPaymentUri({ chainId, toAddress, contractAddress, amount }: EvmUriRequest): string {
  return contractAddress === null
    ? `ethereum:${toAddress}@${chainId}?value=${amount}`
    : `ethereum:${contractAddress}@${chainId}/transfer?address=${toAddress}&uint256=${amount}`;
}
