import { bytesToHex } from "@noble/hashes/utils.js";
import { bech32 } from "@scure/base";
import { decodeOrNull, INVALID, UNPAYABLE, type AddressParser } from "./parser.ts";
import { OWNERLESS } from "./unspendable/bitcoin.ts";
import { isMadeUp } from "./unspendable/unspendable.ts";

export const BCH_PREFIX = "bitcoincash";

/** Version bytes for a hash of 20 bytes (P2PKH, P2SH) and of 32 (P2SH). */
const KINDS = new Set([0x00, 0x08]);
const SCRIPT_KINDS_OF_32 = new Set([0x0b]);
/** Set where a wallet also receives tokens there; the place is the same without it. */
const TOKEN_AWARE = 0x10;

/**
 * Bitcoin Cash in CashAddr, with its prefix or without, canonical with it and in the form for coins alone. The old "1…" and "3…" are Bitcoin's as well, so that
 * nobody could tell which was meant, and are refused.
 */
export const parseBchAddress: AddressParser = (text) => {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return INVALID;
  const lower = text.toLowerCase();
  const data = lower.startsWith(`${BCH_PREFIX}:`) ? lower.slice(BCH_PREFIX.length + 1) : lower;
  const bytes = decodeOrNull(() => decodeCashAddr(BCH_PREFIX, data));
  if (bytes === null) return INVALID;
  const version = (bytes[0] ?? 0) & ~TOKEN_AWARE;
  const isKnown = bytes.length === 21 ? KINDS.has(version) : bytes.length === 33 && SCRIPT_KINDS_OF_32.has(version);
  const hash = bytes.subarray(1);
  if (!isKnown) return INVALID;
  if (OWNERLESS.has(bytesToHex(hash)) || isMadeUp(data, hash)) return UNPAYABLE;
  return { valid: true, canonical: encodeCashAddr(BCH_PREFIX, Uint8Array.of(version, ...hash)) };
};

/** The checksummed base32 of Bitcoin Cash (CashAddr specification): `prefix:data`, eight characters of checksum. */

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const CHECKSUM_LENGTH = 8;

function polymod(values: readonly number[]): bigint {
  let checksum = 1n;
  for (const value of values) {
    const top = checksum >> 35n;
    checksum = ((checksum & 0x07ffffffffn) << 5n) ^ BigInt(value);
    GENERATORS.forEach((generator, bit) => {
      if ((top >> BigInt(bit)) & 1n) checksum ^= generator;
    });
  }
  return checksum ^ 1n;
}

const prefixWords = (prefix: string): number[] =>
  prefix
    .split("")
    .map((letter) => letter.charCodeAt(0) & 31)
    .concat(0);

export function encodeCashAddr(prefix: string, bytes: Uint8Array): string {
  const words = bech32.toWords(bytes);
  const checksum = polymod([...prefixWords(prefix), ...words, ...Array.from({ length: CHECKSUM_LENGTH }, () => 0)]);
  const tail = Array.from({ length: CHECKSUM_LENGTH }, (_, at) => Number((checksum >> BigInt(5 * (7 - at))) & 31n));
  return `${prefix}:${[...words, ...tail].map((word) => ALPHABET[word]).join("")}`;
}

/** The bytes of a lower-case address without its prefix. Throws on a letter, a checksum or a padding that is wrong. */
function decodeCashAddr(prefix: string, data: string): Uint8Array {
  const words = data.split("").map((letter) => ALPHABET.indexOf(letter));
  if (words.includes(-1) || words.length <= CHECKSUM_LENGTH) throw new Error("no CashAddr");
  if (polymod([...prefixWords(prefix), ...words]) !== 0n) throw new Error("the checksum is wrong");
  return bech32.fromWords(words.slice(0, -CHECKSUM_LENGTH));
}
