import { segwitOrBase58 } from "./btc.ts";
import type { AddressParser } from "./reading.ts";

/** Litecoin's mainnet. 0x32 writes "M…"; the old "3…" is Bitcoin's as well, so that nobody could tell which was meant, and is refused. */
export const LITECOIN = { bech32: "ltc", pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 };

/** Litecoin's regtest. Its old P2SH is Bitcoin's testnet's as well, and is refused like mainnet's "3…". */
export const LITECOIN_REGTEST = { bech32: "rltc", pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef };

/** Litecoin: P2PKH ("L…"), P2SH ("M…") and native segwit ("ltc1…"). */
export const parseLtcAddress: AddressParser = segwitOrBase58(LITECOIN);

/** The same of a local chain ("m…" or "n…", "Q…", "rltc1…"). */
export const parseLtcRegtestAddress: AddressParser = segwitOrBase58(LITECOIN_REGTEST);
