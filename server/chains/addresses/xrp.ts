import { sha256 } from "@noble/hashes/sha2.js";
import { base58xrp } from "@scure/base";
import { decodeOrNull, INVALID, UNPAYABLE, type AddressParser, type MemoParser } from "./parser.ts";
import { isMadeUp, addressesIn } from "./unspendable/unspendable.ts";

const XRP_UNSPENDABLE = addressesIn({
  "xrpl.org, Special Addresses: nobody has their keys": [
    "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
    "rrrrrrrrrrrrrrrrrrrrBZbvji",
    "rrrrrrrrrrrrrrrrrNAMEtxvNvQ",
    "rrrrrrrrrrrrrrrrrrrn5RM1rHd",
  ],
  "xrpl.org, Special Addresses: the first account, whose passphrase is public": ["rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
});

const CHECKSUM = 4;
const CLASSIC_VERSION = 0;
/** The two bytes that make an X-address of mainnet begin with "X" (XLS-5); a test network's "T…" is refused. */
const X_PREFIX = [0x05, 0x44] as const;
const MOST_TAG = 2n ** 32n - 1n;

export function encodeClassic(accountId: Uint8Array): string {
  const body = Uint8Array.of(CLASSIC_VERSION, ...accountId);
  return base58xrp.encode(Uint8Array.of(...body, ...checksumOf(body)));
}

/** XRP Ledger: classic addresses and X-addresses, canonical in the classic form with the tag of an X-address as the memo. */
export const parseXrpAddress: AddressParser = (text) => {
  const bytes = decodeOrNull(() => base58xrp.decode(text));
  if (bytes === null || bytes.length <= CHECKSUM) return INVALID;
  const body = bytes.subarray(0, -CHECKSUM);
  const checksum = checksumOf(body);
  if (!bytes.subarray(-CHECKSUM).every((byte, at) => byte === checksum[at])) return INVALID;
  if (body.length === 21 && body[0] === CLASSIC_VERSION) return usable(body.subarray(1), null);
  if (body.length !== 31 || body[0] !== X_PREFIX[0] || body[1] !== X_PREFIX[1]) return INVALID;
  const tag = tagOf(body.subarray(22));
  return tag === undefined ? INVALID : usable(body.subarray(2, 22), tag);
};

/** A destination tag: a whole number of 32 bits (the ledger's DestinationTag). */
export const parseXrpTag: MemoParser = (text) =>
  /^[0-9]{1,10}$/.test(text) && BigInt(text) <= MOST_TAG
    ? { valid: true, canonical: BigInt(text).toString() }
    : { valid: false };

const checksumOf = (body: Uint8Array): Uint8Array => sha256(sha256(body)).subarray(0, CHECKSUM);

function usable(accountId: Uint8Array, memo: string | null): ReturnType<AddressParser> {
  const canonical = encodeClassic(accountId);
  if (XRP_UNSPENDABLE.has(canonical) || isMadeUp(canonical, accountId)) return UNPAYABLE;
  return { valid: true, canonical, memo };
}

/** A flag byte and eight bytes, little end first, of which the format uses four; undefined where they break its rules. */
function tagOf(bytes: Uint8Array): string | null | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flag = view.getUint8(0);
  const tag = view.getUint32(1, true);
  if (view.getUint32(5, true) !== 0 || flag > 1) return undefined;
  if (flag === 1) return tag.toString();
  return tag === 0 ? null : undefined;
}
