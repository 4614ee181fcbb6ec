import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { Address, NETWORK } from "@scure/btc-signer";
import { base58checkParser, decodeOrNull, INVALID, UNPAYABLE, type AddressParser } from "./parser.ts";
import { BURN_ADDRESSES, OWNERLESS } from "./unspendable/bitcoin.ts";
import { isMadeUp } from "./unspendable/unspendable.ts";

/** Bitcoin, Litecoin and Dogecoin: the same formats behind prefixes of their own. */

type Prefixes = Parameters<typeof Address>[0];

export const BITCOIN_REGTEST = { bech32: "bcrt", pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

/** 0x32 writes "M…"; the old "3…" is Bitcoin's as well, so that nobody could tell which was meant, and is refused. */
export const LITECOIN = { bech32: "ltc", pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 };

/** The old P2SH of Litecoin's regtest is Bitcoin's testnet's as well, and is refused like mainnet's "3…". */
export const LITECOIN_REGTEST = { bech32: "rltc", pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef };

export const DOGE_PUBLIC_KEY_HASH = 0x1e;
export const DOGE_SCRIPT_HASH = 0x16;
export const DOGE_REGTEST = { pubKeyHash: 0x6f, scriptHash: 0xc4 };

/**
 * Bitcoin: P2PKH, P2SH and the native segwit versions 0 and 1; of mainnet only. Segwit comes in one case and is
 * canonical in lower case.
 */
export const parseBtcAddress: AddressParser = segwitOrBase58(NETWORK);

/** The same of a local chain ("m…" or "n…", "2…", "bcrt1…"). */
export const parseBtcRegtestAddress: AddressParser = segwitOrBase58(BITCOIN_REGTEST);

/** Litecoin: P2PKH ("L…"), P2SH ("M…") and native segwit ("ltc1…"). */
export const parseLtcAddress: AddressParser = segwitOrBase58(LITECOIN);

/** The same of a local chain ("m…" or "n…", "Q…", "rltc1…"). */
export const parseLtcRegtestAddress: AddressParser = segwitOrBase58(LITECOIN_REGTEST);

/** Dogecoin: P2PKH ("D…") and P2SH ("9…", "A…"). */
export const parseDogeAddress = base58checkParser(new Set([DOGE_PUBLIC_KEY_HASH, DOGE_SCRIPT_HASH]), isLostHash);

/** The same of a local chain ("m…" or "n…", "2…"). */
export const parseDogeRegtestAddress = base58checkParser(
  new Set([DOGE_REGTEST.pubKeyHash, DOGE_REGTEST.scriptHash]),
  isLostHash,
);

function segwitOrBase58(network: Prefixes): AddressParser {
  const coder = Address(network);
  const segwit = `${network?.bech32 ?? NETWORK.bech32}1`;
  return (text) => {
    const lower = text.toLowerCase();
    const canonical = lower.startsWith(segwit) && (text === lower || text === text.toUpperCase()) ? lower : text;
    const script = decodeOrNull(() => coder.decode(canonical));
    if (script === null) return INVALID;
    const payload = payloadOf(script);
    return payload === null || isLostHash(canonical, payload) ? UNPAYABLE : { valid: true, canonical };
  };
}

/**
 * What somebody's key or script must match; null where nobody's does: an anchor, which anybody can spend, witness versions to come, and a
 * taproot key that is no point of the curve.
 */
function payloadOf(script: ReturnType<ReturnType<typeof Address>["decode"]>): Uint8Array | null {
  if (script.type === "pkh" || script.type === "sh" || script.type === "wpkh" || script.type === "wsh")
    return script.hash;
  return script.type === "tr" && isXOnlyKey(script.pubkey) ? script.pubkey : null;
}

/** Whether 32 bytes are the x of a point of secp256k1 (BIP-340), as about half of all are. */
function isXOnlyKey(bytes: Uint8Array): boolean {
  return decodeOrNull(() => schnorr.utils.lift_x(BigInt(`0x${bytesToHex(bytes)}`))) !== null;
}

/** Whether nobody, or anybody, can spend from what has this hash or key. */
function isLostHash(canonical: string, payload: Uint8Array): boolean {
  return BURN_ADDRESSES.has(canonical) || OWNERLESS.has(bytesToHex(payload)) || isMadeUp(canonical, payload);
}
