import { base64urlnopad } from "@scure/base";
import {
  crc16,
  decodeOrNull,
  hasInvisible,
  INVALID,
  UNPAYABLE,
  type AddressParser,
  type MemoParser,
} from "./parser.ts";
import { isMadeUp } from "./unspendable/unspendable.ts";

/** The first byte of a friendly address (TEP-2). With 0x80 on top it is meant for test networks only. */
const BOUNCEABLE = 0x11;
const NON_BOUNCEABLE = 0x51;
const BASECHAIN = 0x00;
const MASTERCHAIN = 0xff;
/** What the text of one comment cell holds beside its prefix. */
const MOST_COMMENT_BYTES = 123;

/**
 * TON: friendly addresses, bounceable or not, in either alphabet of base64. Both name the same account; canonical is the form that does
 * not bounce, because a payment to a wallet that was never used would come back otherwise. Test-only ones and the raw
 * `workchain:hex`, which has no checksum, are refused.
 */
export const parseTonAddress: AddressParser = (text) => {
  // The two alphabets are never mixed in one address.
  if (/[+/]/.test(text) && /[-_]/.test(text)) return INVALID;
  const bytes = decodeOrNull(() => base64urlnopad.decode(text.replaceAll("+", "-").replaceAll("/", "_")));
  if (bytes === null || bytes.length !== 36) return INVALID;
  const [tag = 0, workchain = 0] = bytes;
  if (tag !== BOUNCEABLE && tag !== NON_BOUNCEABLE) return INVALID;
  if (workchain !== BASECHAIN && workchain !== MASTERCHAIN) return INVALID;
  const account = bytes.subarray(2, 34);
  if (crc16(bytes.subarray(0, 34)) !== (((bytes[34] ?? 0) << 8) | (bytes[35] ?? 0))) return INVALID;
  const canonical = encodeFriendly(workchain, account);
  // Burn accounts, and contracts of the protocol: zero, all threes (the elector), all fives (the configuration).
  if (isMadeUp(canonical, account)) return UNPAYABLE;
  return { valid: true, canonical, memo: null };
};

/** A comment, as wallets send it with a transfer: text of one cell. */
export const parseTonComment: MemoParser = (text) => {
  const length = new TextEncoder().encode(text).length;
  return length > 0 && length <= MOST_COMMENT_BYTES && !hasInvisible(text)
    ? { valid: true, canonical: text }
    : { valid: false };
};

/** The form that does not bounce. */
export function encodeFriendly(workchain: number, account: Uint8Array): string {
  const body = Uint8Array.of(NON_BOUNCEABLE, workchain, ...account);
  const crc = crc16(body);
  return base64urlnopad.encode(Uint8Array.of(...body, crc >> 8, crc & 0xff));
}
