import { getAddress } from "viem";
import type { ParsedAddress } from "../port.ts";

const HEX_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Below it lie the zero address, the precompiled contracts and the usual burn addresses: value sent there is lost. */
const FIRST_USABLE = 0x1_0000n;

/**
 * Reads an address of an EVM network. The canonical form carries the checksum of EIP-55; mixed case must match it, while all-lower
 * and all-upper hex carry no checksum and are taken as they are. `refused` lists canonical addresses that nobody may be paid at.
 */
export function parseEvmAddress(text: string, refused: ReadonlySet<string> = new Set()): ParsedAddress {
  if (!HEX_ADDRESS.test(text)) return { valid: false, code: null };
  const canonical = getAddress(text.toLowerCase());
  const digits = text.slice(2);
  const carriesChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (carriesChecksum && text !== canonical) return { valid: false, code: null };
  if (BigInt(canonical) < FIRST_USABLE || refused.has(canonical)) return { valid: false, code: null };
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
