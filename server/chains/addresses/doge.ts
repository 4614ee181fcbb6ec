import { base58checkParser } from "./base58check.ts";

export const DOGE_PUBLIC_KEY_HASH = 0x1e;
export const DOGE_SCRIPT_HASH = 0x16;
export const DOGE_REGTEST = { pubKeyHash: 0x6f, scriptHash: 0xc4 };

/** Dogecoin: P2PKH ("D…") and P2SH ("9…", "A…"). */
export const parseDogeAddress = base58checkParser(new Set([DOGE_PUBLIC_KEY_HASH, DOGE_SCRIPT_HASH]));

/** The same of a local chain ("m…" or "n…", "2…"). */
export const parseDogeRegtestAddress = base58checkParser(new Set([DOGE_REGTEST.pubKeyHash, DOGE_REGTEST.scriptHash]));
