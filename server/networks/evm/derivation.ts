import { ECDH } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { publicKeyToAddress } from "viem/accounts";

const FIRST_HARDENED = 2n ** 31n;

/** Gives the addresses below an extended public key (BIP-32), so that no private key is near the web. */
export function addressesBelow(xpub: string): (index: bigint) => string {
  const branch = HDKey.fromExtendedKey(xpub);
  if (branch.privateKey !== null)
    throw new Error("deposit addresses come from an extended public key, not from a private one");
  return (index) => {
    if (index < 0n || index >= FIRST_HARDENED) throw new RangeError(`there is no address number ${index}`);
    const { publicKey } = branch.deriveChild(Number(index));
    if (publicKey === null) throw new Error(`no key can be derived at ${index}`);
    const uncompressed = ECDH.convertKey(publicKey, "secp256k1", undefined, "hex", "uncompressed");
    return publicKeyToAddress(`0x${String(uncompressed)}`);
  };
}
