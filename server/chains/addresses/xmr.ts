import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58xmr } from "@scure/base";
import { isEd25519Key } from "./ed25519.ts";
import { decodeOrNull, INVALID, type AddressParser } from "./parser.ts";

const KEYS = 64;
const CHECKSUM = 4;
const PAYMENT_ID = 8;

/** What stands in front of the two keys of a mainnet address: its kind. */
const STANDARD = 18;
const INTEGRATED = 19;
const SUBADDRESS = 42;

/** Monero's mainnet: standard ("4…"), subaddress ("8…") and integrated, which carries a payment id. */
export const parseXmrAddress: AddressParser = (text) => {
  // A block of base58 is taken whole, so the length says how many bytes there must be.
  if (text.length !== 95 && text.length !== 106) return INVALID;
  const bytes = decodeOrNull(() => base58xmr.decode(text));
  if (bytes === null) return INVALID;
  const body = bytes.subarray(0, -CHECKSUM);
  const hash = keccak_256(body);
  if (!bytes.subarray(-CHECKSUM).every((byte, at) => byte === hash[at])) return INVALID;
  const kind = body[0];
  const idLength = kind === INTEGRATED ? PAYMENT_ID : 0;
  if (kind !== STANDARD && kind !== SUBADDRESS && kind !== INTEGRATED) return INVALID;
  if (body.length !== 1 + KEYS + idLength) return INVALID;
  if (!isEd25519Key(body.subarray(1, 33)) || !isEd25519Key(body.subarray(33, 65))) return INVALID;
  return { valid: true, canonical: text };
};

/** A subaddress of two public keys. */
export const encodeSubaddress = (spendKey: Uint8Array, viewKey: Uint8Array): string =>
  encode(SUBADDRESS, Uint8Array.of(...spendKey, ...viewKey));

/** The standard address that an integrated one carries a payment id to; null for any other text. */
export function standardOfIntegrated(text: string): string | null {
  if (text.length !== 106 || !parseXmrAddress(text).valid) return null;
  return encode(STANDARD, base58xmr.decode(text).subarray(1, 1 + KEYS));
}

function encode(kind: number, keys: Uint8Array): string {
  const body = Uint8Array.of(kind, ...keys);
  return base58xmr.encode(Uint8Array.of(...body, ...keccak_256(body).subarray(0, CHECKSUM)));
}
