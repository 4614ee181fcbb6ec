import { base58 } from "@scure/base";
import { isOnEd25519 } from "./ed25519.ts";
import { decodeOrNull, INVALID, type AddressParser } from "./parser.ts";

/**
 * Solana: a public key of Ed25519 in base58. The format has no checksum, so a typo can be another valid address: what can be checked is
 * the length and that the bytes are a point of the curve, which about half of all mistyped ones are not. Addresses off the
 * curve belong to programs, have no key and are refused; so is the system program (all zero), where value is lost.
 */
export const parseSolAddress: AddressParser = (text) => {
  if (text.length > 44) return INVALID;
  const bytes = decodeOrNull(() => base58.decode(text));
  if (bytes === null || !isOnEd25519(bytes) || bytes.every((byte) => byte === 0)) return INVALID;
  return { valid: true, canonical: text };
};
