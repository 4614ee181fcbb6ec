import { base32nopad } from "@scure/base";
import { isEd25519Key } from "./ed25519.ts";
import {
  crc16,
  decodeOrNull,
  hasInvisible,
  INVALID,
  UNPAYABLE,
  type AddressParser,
  type MemoParser,
} from "./parser.ts";
import { isMadeUp, addressesIn } from "./unspendable/unspendable.ts";

const XLM_UNSPENDABLE = addressesIn({
  "stellar/dashboard, common/lumens.js: the void account, whose signers were removed": [
    "GALAXYVOIDAOPZTDLHILAJQKCVVFMD4IKLXLSZV5YHO7VY74IWZILUTO",
  ],
});

/** Version bytes of StrKey (SEP-23): an account's key ("G…"), and one with a number behind it ("M…"). */
const ACCOUNT = 6 << 3;
const MUXED = 12 << 3;
const MOST_ID = 2n ** 64n - 1n;
const MOST_TEXT_BYTES = 28;

export const encodeAccount = (publicKey: Uint8Array): string => strKey(ACCOUNT, publicKey);

/** Stellar: accounts, and muxed accounts, canonical as the account with the muxed number as the memo. */
export const parseXlmAddress: AddressParser = (text) => {
  const bytes = decodeOrNull(() => base32nopad.decode(text));
  if (bytes === null || bytes.length < 3) return INVALID;
  const body = bytes.subarray(0, -2);
  const given = (bytes.at(-2) ?? 0) | ((bytes.at(-1) ?? 0) << 8);
  const key = body.subarray(1, 33);
  if (crc16(body) !== given) return INVALID;
  const canonical = encodeAccount(key);
  if (XLM_UNSPENDABLE.has(canonical) || isMadeUp(canonical, key)) return UNPAYABLE;
  if (!isEd25519Key(key)) return INVALID;
  if (body[0] === ACCOUNT && body.length === 33) return { valid: true, canonical, memo: null };
  if (body[0] !== MUXED || body.length !== 41) return INVALID;
  const id = new DataView(body.buffer, body.byteOffset + 33, 8).getBigUint64(0);
  return { valid: true, canonical, memo: id.toString() };
};

/**
 * A memo of Stellar: a number of 64 bits (an id), text of up to 28 bytes, or a hash of 32 bytes in hex. Which of them it is shows in
 * its writing; digits alone are an id.
 */
export const parseXlmMemo: MemoParser = (text) => {
  if (/^[0-9a-f]{64}$/i.test(text)) return { valid: true, canonical: text.toLowerCase() };
  if (/^(0|[1-9][0-9]{0,19})$/.test(text) && BigInt(text) <= MOST_ID) return { valid: true, canonical: text };
  const length = new TextEncoder().encode(text).length;
  return length > 0 && length <= MOST_TEXT_BYTES && !hasInvisible(text)
    ? { valid: true, canonical: text }
    : { valid: false };
};

function strKey(version: number, key: Uint8Array): string {
  const body = Uint8Array.of(version, ...key);
  const crc = crc16(body);
  return base32nopad.encode(Uint8Array.of(...body, crc & 0xff, crc >> 8));
}
