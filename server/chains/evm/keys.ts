import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { HDKey } from "@scure/bip32";
import { toHex } from "viem";
import { privateKeyToAccount, publicKeyToAddress, type PrivateKeyAccount } from "viem/accounts";
import { deriveKey, privateKeyOf, publicKeysBelow } from "../hd-keys.ts";

const DEPOSIT_BRANCH = "m/44'/60'/0'/0";
const HOT_PATH = "m/44'/60'/1'/0/0";

/** The extended public key from which a mnemonic's deposit addresses are derived: m/44'/60'/0'/0. */
export const depositXpub = (mnemonic: string): string => deriveKey(mnemonic, DEPOSIT_BRANCH).publicExtendedKey;

/** The account that pays out: m/44'/60'/1'/0/0, on a branch that shares nothing with deposits. */
export const hotAccount = (mnemonic: string): PrivateKeyAccount => accountOf(deriveKey(mnemonic, HOT_PATH));

/** The accounts behind deposit addresses, by the index of each: what signs their sweeps. A branch is derived at its first use. */
export function depositAccounts(mnemonic: string): (index: bigint) => PrivateKeyAccount {
  let branch: HDKey | null = null;
  return (index) => {
    branch ??= deriveKey(mnemonic, DEPOSIT_BRANCH);
    return accountOf(branch.deriveChild(Number(index)));
  };
}

/** The addresses below an extended public key, by index. */
export function addressesBelow(xpub: string): (index: bigint) => string {
  const publicKeyAt = publicKeysBelow(xpub);
  return (index) => publicKeyToAddress(toHex(secp256k1.Point.fromBytes(publicKeyAt(index)).toBytes(false)));
}

const accountOf = (key: HDKey): PrivateKeyAccount => privateKeyToAccount(toHex(privateKeyOf(key)));
