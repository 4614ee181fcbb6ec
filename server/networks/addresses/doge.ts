import { base58checkParser } from "./base58check.ts";

export const DOGE_PUBLIC_KEY_HASH = 0x1e;
const SCRIPT_HASH = 0x16;

/** Dogecoin: P2PKH ("D…") and P2SH ("9…", "A…"). */
export const parseDogeAddress = base58checkParser(new Set([DOGE_PUBLIC_KEY_HASH, SCRIPT_HASH]));
