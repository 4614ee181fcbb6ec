import { crc32 } from "node:zlib";
import { base58, bech32 } from "@scure/base";
import { decodeOrNull, INVALID, type AddressParser } from "./parser.ts";

/** The longest there is: a payment key and a stake key, 57 bytes. Longer than BIP-173 allows. */
const MAX_LENGTH = 103;
const SHELLEY_PREFIX = "addr";
const MAINNET = 1;

/** By the kind in the upper half of the header: 28 bytes for each of the two credentials, or a pointer of 3 to 30 bytes. */
const BASE_KINDS = new Set([0, 1, 2, 3]);
const POINTER_KINDS = new Set([4, 5]);
const ENTERPRISE_KINDS = new Set([6, 7]);

/** Cardano's mainnet: Shelley ("addr1…", no stake addresses) and Byron ("Ae2…", "DdzFF…"). */
export const parseAdaAddress: AddressParser = (text) => (/^addr1/i.test(text) ? parseShelley(text) : parseByron(text));

function parseShelley(text: string): ReturnType<AddressParser> {
  const decoded = decodeOrNull(() => bech32.decodeToBytes(text, MAX_LENGTH));
  const header = decoded?.bytes[0];
  if (!decoded || header === undefined || decoded.prefix !== SHELLEY_PREFIX || (header & 15) !== MAINNET)
    return INVALID;
  const kind = header >> 4;
  const { length } = decoded.bytes;
  const fits =
    (BASE_KINDS.has(kind) && length === 57) ||
    (ENTERPRISE_KINDS.has(kind) && length === 29) ||
    (POINTER_KINDS.has(kind) && length >= 32 && length <= 59);
  return fits ? { valid: true, canonical: text.toLowerCase() } : INVALID;
}

/** CBOR: an array of the payload, marked as CBOR itself, and its CRC-32. */
function parseByron(text: string): ReturnType<AddressParser> {
  const bytes = text.length > 128 ? null : decodeOrNull(() => base58.decode(text));
  if (bytes === null || !startsWith(bytes, [0x82, 0xd8, 0x18, 0x58])) return INVALID;
  const end = 5 + (bytes[4] ?? 0);
  const payload = bytes.subarray(5, end);
  if (crc32(payload) !== cborUint(bytes.subarray(end))) return INVALID;
  return isMainnetPayload(payload) ? { valid: true, canonical: text } : INVALID;
}

/** An array of a root of 28 bytes, attributes and a type; attribute 2 would name another network than mainnet. */
function isMainnetPayload(payload: Uint8Array): boolean {
  if (!startsWith(payload, [0x83, 0x58, 28])) return false;
  const [attributes, key] = payload.subarray(31);
  return attributes === 0xa0 || (attributes === 0xa1 && key === 1);
}

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/** A whole number in its shortest form, as CBOR writes it; null for anything else. */
function cborUint(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = bytes[0];
  if (head === 0x1a && bytes.length === 5) return view.getUint32(1);
  if (head === 0x19 && bytes.length === 3) return view.getUint16(1);
  if (head === 0x18 && bytes.length === 2) return view.getUint8(1);
  return bytes.length === 1 && head !== undefined && head < 24 ? head : null;
}
