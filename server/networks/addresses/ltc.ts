import { segwitOrBase58 } from "./btc.ts";
import type { AddressParser } from "./reading.ts";

/** Litecoin's mainnet. 0x32 writes "M…"; the old "3…" is Bitcoin's as well, so that nobody could tell which was meant, and is refused. */
export const LITECOIN = { bech32: "ltc", pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 };

/** Litecoin: P2PKH ("L…"), P2SH ("M…") and native segwit ("ltc1…"). */
export const parseLtcAddress: AddressParser = segwitOrBase58(LITECOIN);
