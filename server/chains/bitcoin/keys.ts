import { p2pkh, p2wpkh } from "@scure/btc-signer";
import { deriveKey, privateKeyOf, publicKeysBelow } from "../hd-keys.ts";
import type { Chain } from "./chain-params.ts";

export type HotKey = { privateKey: Uint8Array; address: string; script: Uint8Array };

const accountPath = ({ hasSegwit, coinType, kind }: Chain, account: number): string =>
  `m/${hasSegwit ? 84 : 44}'/${kind === "main" ? coinType : 1}'/${account}'/0`;

/** The extended public key from which deposit addresses are derived: m/84'/coin'/0'/0, or m/44'/… where there is no segwit. */
export const depositXpub = (chain: Chain, mnemonic: string): string =>
  deriveKey(mnemonic, accountPath(chain, 0)).publicExtendedKey;

/** The key that pays out: m/84'/coin'/1'/0/0, in an account of its own, so that the key of no deposit leads to it. */
export function hotKey(chain: Chain, mnemonic: string): HotKey {
  const key = deriveKey(mnemonic, `${accountPath(chain, 1)}/0`);
  if (key.publicKey === null) throw new Error("no key can be derived for the hot wallet");
  return { privateKey: privateKeyOf(key), ...outputOf(chain, key.publicKey) };
}

/** The addresses below an extended public key, by index. */
export function addressesBelow(chain: Chain, xpub: string): (index: bigint) => string {
  const publicKeyAt = publicKeysBelow(xpub);
  return (index) => outputOf(chain, publicKeyAt(index)).address;
}

/** The address of ours that a public key would have. */
export const addressOfKey = (chain: Chain, publicKey: Uint8Array): string => outputOf(chain, publicKey).address;

/** Segwit where the chain has it: it costs less, and nobody but the signer can change a transaction's id. */
function outputOf({ hasSegwit, prefixes }: Chain, publicKey: Uint8Array): { address: string; script: Uint8Array } {
  const { address, script } = hasSegwit ? p2wpkh(publicKey, prefixes) : p2pkh(publicKey, prefixes);
  if (address === undefined) throw new Error("the key has no address");
  return { address, script };
}
