import { base58checkParser } from "./base58check.ts";

export const TRON_VERSION = 0x41;

/** TRON: base58check of 0x41 and 20 bytes, which always begins with "T". The 21 bytes in hex carry no checksum and are refused. */
export const parseTrxAddress = base58checkParser(new Set([TRON_VERSION]));
