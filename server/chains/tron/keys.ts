import type { HDKey } from "@scure/bip32";
import { bytesToHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { base58OfEvm } from "../addresses/trx.ts";
import { addressesBelow as evmAddressesBelow } from "../evm/keys.ts";
import { deriveKey, privateKeyOf } from "../hd-keys.ts";

/** BIP-44 with TRON's coin number. */
const DEPOSIT_BRANCH = "m/44'/195'/0'/0";
const HOT_PATH = "m/44'/195'/1'/0/0";

/** A key in hex, and the address that it signs for. */
export type TronAccount = { address: string; privateKey: string };

/** The extended public key from which a mnemonic's deposit addresses are derived: m/44'/195'/0'/0. */
export const tronDepositXpub = (mnemonic: string): string => deriveKey(mnemonic, DEPOSIT_BRANCH).publicExtendedKey;

/** The account that pays out: m/44'/195'/1'/0/0, on a branch that shares nothing with deposits. */
export const tronHotAccount = (mnemonic: string): TronAccount => accountOf(deriveKey(mnemonic, HOT_PATH));

/** The accounts of deposit addresses, by their index, for moving what they hold. */
export function tronDepositAccounts(mnemonic: string): (index: bigint) => TronAccount {
  const branch = deriveKey(mnemonic, DEPOSIT_BRANCH);
  return (index) => accountOf(branch.deriveChild(Number(index)));
}

/** The addresses below an extended public key, by index. */
export function tronAddressesBelow(xpub: string): (index: bigint) => string {
  const evmAddressAt = evmAddressesBelow(xpub);
  return (index) => base58OfEvm(evmAddressAt(index));
}

function accountOf(key: HDKey): TronAccount {
  const hex = bytesToHex(privateKeyOf(key));
  return { address: base58OfEvm(privateKeyToAddress(hex)), privateKey: hex.slice(2) };
}
