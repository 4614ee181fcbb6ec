import { base58 } from "@scure/base";
import { isEd25519Key } from "./ed25519.ts";
import { decodeOrNull, INVALID, UNPAYABLE, type AddressParser } from "./parser.ts";
import { SOL_UNSPENDABLE } from "./unspendable/sol.ts";
import { isMadeUp } from "./unspendable/unspendable.ts";

const KEY_BYTES = 32;

/**
 * Solana: a public key of Ed25519 in base58. The format has no checksum, so a typo can be another valid address: what can be checked is
 * the length and that the bytes can be a key, which fifteen of sixteen mistyped ones can't. Addresses off the curve belong to
 * programs and have no key; programs, sysvars and mints on the curve are known by their runs of ones and by a list.
 */
export const parseSolAddress: AddressParser = (text) => {
  if (text.length > 44) return INVALID;
  const bytes = decodeOrNull(() => base58.decode(text));
  if (bytes?.length !== KEY_BYTES) return INVALID;
  if (SOL_UNSPENDABLE.has(text) || isMadeUp(text, bytes)) return UNPAYABLE;
  return isEd25519Key(bytes) ? { valid: true, canonical: text } : INVALID;
};
