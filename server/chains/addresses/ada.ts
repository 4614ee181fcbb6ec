import { base58, bech32 } from "@scure/base";
import { isMainnetByron } from "./ada-byron.ts";
import { decodeOrNull, INVALID, UNPAYABLE, type AddressParser } from "./parser.ts";
import { isMadeUp } from "./unspendable/unspendable.ts";

/** The longest there is: a payment key and a stake key, 57 bytes. Longer than BIP-173 allows. */
const MAX_LENGTH = 103;
const SHELLEY_PREFIX = "addr";
const MAINNET = 1;
const CREDENTIAL = 28;

/**
 * By the kind in the upper half of the header, whose payment credential is a key: what follows the credential. The odd kinds pay a
 * script, which can't spend what comes without the datum that it expects, and are refused.
 */
const STAKE_CREDENTIAL_KINDS = new Set([0, 2]);
const POINTER_KIND = 4;
const ENTERPRISE_KIND = 6;

/** A certificate on the chain: slot, transaction, certificate, as wide as the ledger stores them. */
const POINTER_LIMITS = [2 ** 32, 2 ** 16, 2 ** 16];

/** Cardano's mainnet: Shelley ("addr1…", no stake addresses) and Byron ("Ae2…", "DdzFF…"). */
export const parseAdaAddress: AddressParser = (text) => (/^addr1/i.test(text) ? parseShelley(text) : parseByron(text));

function parseShelley(text: string): ReturnType<AddressParser> {
  const decoded = decodeOrNull(() => bech32.decodeToBytes(text, MAX_LENGTH));
  const header = decoded?.bytes[0];
  if (!decoded || header === undefined || decoded.prefix !== SHELLEY_PREFIX || (header & 15) !== MAINNET)
    return INVALID;
  const canonical = text.toLowerCase();
  const credential = decoded.bytes.subarray(1, 1 + CREDENTIAL);
  const rest = decoded.bytes.subarray(1 + CREDENTIAL);
  if (credential.length < CREDENTIAL || !follows(header >> 4, rest)) return INVALID;
  return isMadeUp(canonical, credential) ? UNPAYABLE : { valid: true, canonical };
}

function follows(kind: number, rest: Uint8Array): boolean {
  if (STAKE_CREDENTIAL_KINDS.has(kind)) return rest.length === CREDENTIAL;
  return kind === POINTER_KIND ? isPointer(rest) : kind === ENTERPRISE_KIND && rest.length === 0;
}

/** Three numbers, seven bits a byte, the highest first; bit 8 says that another byte follows (CIP-19). */
function isPointer(bytes: Uint8Array): boolean {
  let at = 0;
  for (const limit of POINTER_LIMITS) {
    let value = 0;
    let byte = 0;
    const start = at;
    do {
      byte = bytes[at] ?? 0xff;
      // A first byte without a value would write the same number in a second way.
      if (at >= bytes.length || (at === start && byte === 0x80)) return false;
      value = value * 128 + (byte & 0x7f);
      if (value >= limit) return false;
      at += 1;
    } while (byte & 0x80);
  }
  return at === bytes.length;
}

function parseByron(text: string): ReturnType<AddressParser> {
  const bytes = text.length > 128 ? null : decodeOrNull(() => base58.decode(text));
  return bytes !== null && isMainnetByron(bytes) ? { valid: true, canonical: text } : INVALID;
}
