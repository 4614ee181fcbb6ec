import { getAddress, hexToBytes } from "viem";
import type { ParsedAddress } from "../port.ts";
import { INVALID, UNPAYABLE } from "./parser.ts";
import { EVM_UNSPENDABLE } from "./unspendable/evm.ts";
import { isMadeUp } from "./unspendable/unspendable.ts";

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
