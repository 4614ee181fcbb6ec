import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { addressesIn } from "./unspendable.ts";

/** Addresses of Bitcoin, Litecoin and Dogecoin that are readable texts: nobody has a key whose hash says something. */
export const BURN_ADDRESSES = addressesIn({
  "Bitcoin wiki, Address (burn addresses)": ["1BitcoinEaterAddressDontSendf59kuE"],
  "Counterparty, proof of burn": ["1CounterpartyXXXXXXXXXXXXXXXUWLpVr"],
  "Dogeparty, proof of burn": ["DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr"],
});

/** An empty script, which is also what hashing a missing key gives, and OP_TRUE: nobody can spend, or anybody. */
const SCRIPTS_WITHOUT_OWNER = [Uint8Array.of(), Uint8Array.of(0x51)];

/** BIP-341's point without a known logarithm: as the key of an output, nothing can sign for it. */
const NOTHING_UP_MY_SLEEVE = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";

/** In hex: what P2PKH, P2SH, P2WPKH and P2WSH commit to, and what P2TR holds. */
export const OWNERLESS: ReadonlySet<string> = new Set([
  ...SCRIPTS_WITHOUT_OWNER.flatMap((script) => [bytesToHex(ripemd160(sha256(script))), bytesToHex(sha256(script))]),
  NOTHING_UP_MY_SLEEVE,
]);
