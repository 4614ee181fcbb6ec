import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";

const { Point } = secp256k1;
const FIRST_HARDENED = 2n ** 31n;
/** The curve's generator with a larger table than the library's own (1 MB, made at the first use): a sixth less for each address. */
const generator = Point.fromAffine(Point.BASE.toAffine()).precompute(8);

/** The key of a mnemonic at a BIP-32 path. */
export const deriveKey = (mnemonic: string, path: string): HDKey =>
  HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(path);

/** The private key of a derived key; throws where there is none. */
export function privateKeyOf({ privateKey }: HDKey): Uint8Array {
  if (privateKey === null) throw new Error("the derived key has no private part");
  return privateKey;
}

/** A public key on the curve, in either encoding. */
export type PublicKey = { toBytes(isCompressed: boolean): Uint8Array };

/**
 * The public keys below an extended public key (BIP-32), by index. An extended private key is refused, so that no private key comes near
 * the web process. The library's own derivation takes twice as long: it reads the parent for each child, and hides what is public here.
 */
export function publicKeysBelow(xpub: string): (index: bigint) => PublicKey {
  const { privateKey, publicKey, chainCode } = HDKey.fromExtendedKey(xpub);
  if (privateKey !== null)
    throw new Error("deposit addresses come from an extended public key, not from a private one");
  if (publicKey === null || chainCode === null) throw new Error("the extended public key is not complete");
  const parent = { publicKey, chainCode: createSecretKey(chainCode) };
  const parentPoint = Point.fromBytes(publicKey);
  return (index) => {
    if (index < 0n || index >= FIRST_HARDENED) throw new RangeError(`there is no address number ${index}`);
    const child = parentPoint.add(generator.multiplyUnsafe(tweakOf(parent, Number(index))));
    if (child.is0()) throw new Error(`no key can be derived at ${index}`);
    return child;
  };
}

/** What BIP-32 adds to the parent's key, left of its HMAC; it is no number of the curve once in 2^127, and then there is no such child. */
function tweakOf({ publicKey, chainCode }: { publicKey: Uint8Array; chainCode: KeyObject }, index: number): bigint {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(index);
  const code = createHmac("sha512", chainCode).update(publicKey).update(number).digest();
  return Point.Fn.fromBytes(code.subarray(0, 32));
}
