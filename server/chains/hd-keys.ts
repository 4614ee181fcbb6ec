import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";

const FIRST_HARDENED = 2n ** 31n;

/** The key of a mnemonic at a BIP-32 path. */
export const deriveKey = (mnemonic: string, path: string): HDKey =>
  HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(path);

/** The private key of a derived key; throws where there is none. */
export function privateKeyOf({ privateKey }: HDKey): Uint8Array {
  if (privateKey === null) throw new Error("the derived key has no private part");
  return privateKey;
}

/**
 * The compressed public keys below an extended public key (BIP-32), by index. An extended private key is refused, so that no private
 * key comes near the web process.
 */
export function publicKeysBelow(xpub: string): (index: bigint) => Uint8Array {
  const branch = HDKey.fromExtendedKey(xpub);
  if (branch.privateKey !== null)
    throw new Error("deposit addresses come from an extended public key, not from a private one");
  return (index) => {
    if (index < 0n || index >= FIRST_HARDENED) throw new RangeError(`there is no address number ${index}`);
    const { publicKey } = branch.deriveChild(Number(index));
    if (publicKey === null) throw new Error(`no key can be derived at ${index}`);
    return publicKey;
  };
}
