import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { p2pkh, p2wpkh } from "@scure/btc-signer";
import type { Chain } from "./chains.ts";

const FIRST_HARDENED = 2n ** 31n;

export type HotKey = { privateKey: Uint8Array; address: string; script: Uint8Array };

const accountPath = ({ hasSegwit, coinType, kind }: Chain, account: number): string =>
  `m/${hasSegwit ? 84 : 44}'/${kind === "main" ? coinType : 1}'/${account}'/0`;

/** The extended public key from which deposit addresses are derived: m/84'/coin'/0'/0, or m/44'/… where there is no segwit. */
export const depositXpub = (chain: Chain, mnemonic: string): string =>
  masterOf(mnemonic).derive(accountPath(chain, 0)).publicExtendedKey;

/** The key that pays out: m/84'/coin'/1'/0/0, in an account of its own, so that the key of no deposit leads to it. */
export function hotKey(chain: Chain, mnemonic: string): HotKey {
  const { privateKey, publicKey } = masterOf(mnemonic).derive(`${accountPath(chain, 1)}/0`);
  if (privateKey === null || publicKey === null) throw new Error("no key can be derived for the hot wallet");
  return { privateKey, ...placeOf(chain, publicKey) };
}

/** Gives the addresses below an extended public key (BIP-32), so that no private key is near the web. */
export function addressesBelow(chain: Chain, xpub: string): (index: bigint) => string {
  const branch = HDKey.fromExtendedKey(xpub);
  if (branch.privateKey !== null)
    throw new Error("deposit addresses come from an extended public key, not from a private one");
  return (index) => {
    if (index < 0n || index >= FIRST_HARDENED) throw new RangeError(`there is no address number ${index}`);
    const { publicKey } = branch.deriveChild(Number(index));
    if (publicKey === null) throw new Error(`no key can be derived at ${index}`);
    return placeOf(chain, publicKey).address;
  };
}

const masterOf = (mnemonic: string): HDKey => HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));

/** Segwit where there is some: it costs less, and nobody but the signer can change a transaction's id. */
function placeOf({ hasSegwit, prefixes }: Chain, publicKey: Uint8Array): { address: string; script: Uint8Array } {
  const { address, script } = hasSegwit ? p2wpkh(publicKey, prefixes) : p2pkh(publicKey, prefixes);
  if (address === undefined) throw new Error("the key has no address");
  return { address, script };
}
