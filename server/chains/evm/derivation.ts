import { createECDH, createHmac, ECDH } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { publicKeyToAddress } from "viem/accounts";
import { addPoints, pointOf, textOf } from "./points.ts";

const FIRST_HARDENED = 2n ** 31n;

/**
 * Gives the addresses below an extended public key (BIP-32), so that no private key is near the web. What a library would compute is
 * computed by OpenSSL, because every order waits for one: a child's key is the parent's plus the point of its tweak.
 */
export function addressesBelow(xpub: string): (index: bigint) => string {
  const branch = HDKey.fromExtendedKey(xpub);
  const { publicKey, chainCode } = branch;
  if (branch.privateKey !== null)
    throw new Error("deposit addresses come from an extended public key, not from a private one");
  if (publicKey === null || chainCode === null) throw new Error("the extended public key holds no key");
  const parent = pointOf(String(ECDH.convertKey(publicKey, "secp256k1", undefined, "hex", "uncompressed")));
  const multiplier = createECDH("secp256k1");
  return (index) => {
    if (index < 0n || index >= FIRST_HARDENED) throw new RangeError(`there is no address number ${index}`);
    const number = Buffer.alloc(4);
    number.writeUInt32BE(Number(index));
    const tweak = createHmac("sha512", chainCode).update(publicKey).update(number).digest().subarray(0, 32);
    // Refuses the tweak that is no key, as BIP-32 asks: one in 2^127.
    multiplier.setPrivateKey(tweak);
    const child = addPoints(pointOf(multiplier.getPublicKey("hex", "uncompressed")), parent);
    return publicKeyToAddress(`0x${textOf(child)}`);
  };
}
