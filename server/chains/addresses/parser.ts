import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { ADDRESS_UNPAYABLE } from "#contract/address.ts";
import type { ParsedAddress, ParsedMemo } from "../port.ts";

/** Reads an address of one network as a person wrote it, without the blanks around it. */
export type AddressParser = (text: string) => ParsedAddress;

/** Reads what distinguishes the customers behind one address (XRP's tag, Stellar's memo, TON's comment), without the blanks around it. */
export type MemoParser = (text: string) => ParsedMemo;

/** What a customer could not see in a memo, or would see in another order than it is sent. */
export const hasInvisible = (text: string): boolean => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

export const INVALID: ParsedAddress = { valid: false, code: null };

/** Well written, and yet its coins would be nobody's, or anybody's. */
export const UNPAYABLE: ParsedAddress = { valid: false, code: ADDRESS_UNPAYABLE };

/** What a codec returns, or null where it throws: codecs reject malformed text by throwing. */
export function decodeOrNull<Decoded>(decode: () => Decoded): Decoded | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

export const base58check = createBase58check(sha256);

const HASH_LENGTH = 20;

/**
 * Addresses of one version byte and a hash of 20 bytes, guarded by four bytes of double SHA-256. `isLost` names those that nobody
 * can spend from.
 */
export function base58checkParser(
  versions: ReadonlySet<number>,
  isLost: (text: string, hash: Uint8Array) => boolean,
): AddressParser {
  return (text) => {
    const bytes = decodeOrNull(() => base58check.decode(text));
    if (bytes === null || bytes.length !== 1 + HASH_LENGTH || !versions.has(bytes[0] ?? -1)) return INVALID;
    return isLost(text, bytes.subarray(1)) ? UNPAYABLE : { valid: true, canonical: text };
  };
}

/** CRC-16 as Stellar and TON use it (XModem: polynomial 0x1021, initial value 0). */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
