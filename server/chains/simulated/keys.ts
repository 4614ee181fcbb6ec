import { createHash } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { base58, bech32 } from "@scure/base";
import { BCH_PREFIX, encodeCashAddr } from "../addresses/bch.ts";
import { DOGE_PUBLIC_KEY_HASH, LITECOIN } from "../addresses/bitcoin.ts";
import { base58check } from "../addresses/parser.ts";
import { encodeFriendly } from "../addresses/ton.ts";
import { TRON_VERSION } from "../addresses/trx.ts";
import { encodeAccount } from "../addresses/xlm.ts";
import { encodeSubaddress } from "../addresses/xmr.ts";
import { encodeClassic } from "../addresses/xrp.ts";

/** What an address is made of: bytes that follow from the seed and from what the address is for. */
type Source = { hash(length: number): Uint8Array; point(name: string): Uint8Array };

const ADA_ENTERPRISE_MAINNET = 0x61;

const ENCODERS: ReadonlyMap<string, (source: Source) => string> = new Map([
  ["BTC", ({ hash }: Source) => bech32.encode("bc", [0, ...bech32.toWords(hash(20))])],
  ["LTC", ({ hash }: Source) => bech32.encode(LITECOIN.bech32, [0, ...bech32.toWords(hash(20))])],
  ["DOGE", ({ hash }: Source) => base58check.encode(Uint8Array.of(DOGE_PUBLIC_KEY_HASH, ...hash(20)))],
  ["BCH", ({ hash }: Source) => encodeCashAddr(BCH_PREFIX, Uint8Array.of(0, ...hash(20)))],
  ["ADA", ({ hash }: Source) => bech32.encodeFromBytes("addr", Uint8Array.of(ADA_ENTERPRISE_MAINNET, ...hash(28)))],
  ["XMR", ({ point }: Source) => encodeSubaddress(point("spend"), point("view"))],
  ["SOL", ({ point }: Source) => base58.encode(point("account"))],
  ["XRP", ({ hash }: Source) => encodeClassic(hash(20))],
  ["XLM", ({ point }: Source) => encodeAccount(point("account"))],
  ["TON", ({ hash }: Source) => encodeFriendly(0, hash(32))],
  ["TRX", ({ hash }: Source) => base58check.encode(Uint8Array.of(TRON_VERSION, ...hash(20)))],
  ["IOTX", ({ hash }: Source) => bech32.encodeFromBytes("io", hash(20))],
]);

/** An address in the network's own format that follows from the seed and `purpose`; nobody has a key to it outside the sandbox. */
export function deriveAddress(networkTitle: string, seed: string, purpose: string): string {
  const encode = ENCODERS.get(networkTitle);
  if (encode === undefined) throw new Error(`${networkTitle} has no simulated addresses`);
  const bytes = (name: string) => createHash("sha512").update(`${seed}|${networkTitle}|${purpose}|${name}`).digest();
  return encode({
    hash: (length) => bytes("hash").subarray(0, length),
    point: (name) => ed25519.getPublicKey(bytes(name).subarray(0, 32)),
  });
}
