import { crc32 } from "node:zlib";
import { isMadeUp } from "./unspendable/unspendable.ts";

const ROOT = 28;

/**
 * Whether bytes are an address of Cardano's first era on mainnet, in CBOR: an array of the payload, marked as CBOR itself, and its
 * CRC-32. The payload is an array of a root of 28 bytes, attributes and the type, of which only 0 (a public key) is paid: what
 * scripts and redeemed vouchers were for is over.
 */
export function isMainnetByron(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, [0x82, 0xd8, 0x18, 0x58])) return false;
  const end = 5 + (bytes[4] ?? 0);
  const payload = bytes.subarray(5, end);
  if (crc32(payload) !== cborUint(bytes.subarray(end)) || !startsWith(payload, [0x83, 0x58, ROOT])) return false;
  const root = payload.subarray(3, 3 + ROOT);
  const rest = payload.subarray(3 + ROOT);
  return !isMadeUp("", root) && (equals(rest, [0xa0, 0]) || isWithPath(rest));
}

/** One attribute, number 1: the encrypted path of the key, bytes inside of bytes. Attribute 2 would name another network than mainnet. */
function isWithPath(bytes: Uint8Array): boolean {
  const path = cborBytes(bytes.subarray(2, -1));
  return startsWith(bytes, [0xa1, 1]) && bytes.at(-1) === 0 && path !== null && cborBytes(path) !== null;
}

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

const equals = (bytes: Uint8Array, other: readonly number[]): boolean =>
  bytes.length === other.length && startsWith(bytes, other);

/** The content of a byte string that fills `bytes`, with its length in the shortest form; null for anything else. */
function cborBytes(bytes: Uint8Array): Uint8Array | null {
  const head = bytes[0] ?? 0;
  const isShort = head >= 0x40 && head < 0x58;
  if (!isShort && (head !== 0x58 || (bytes[1] ?? 0) < 24)) return null;
  const content = bytes.subarray(isShort ? 1 : 2);
  return content.length === (isShort ? head - 0x40 : bytes[1]) ? content : null;
}

/** A whole number in its shortest form, as CBOR writes it; null for anything else. */
function cborUint(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = bytes[0];
  if (head === 0x1a && bytes.length === 5) return atLeast(0x1_0000, view.getUint32(1));
  if (head === 0x19 && bytes.length === 3) return atLeast(0x100, view.getUint16(1));
  if (head === 0x18 && bytes.length === 2) return atLeast(24, view.getUint8(1));
  return bytes.length === 1 && head !== undefined && head < 24 ? head : null;
}

const atLeast = (min: number, value: number): number | null => (value >= min ? value : null);
