import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { bytesToHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { addressesBelow as evmAddressesBelow } from "../evm/derivation.ts";
import { base58OfEvm } from "./address.ts";

/** BIP-44 with TRON's coin number. */
const DEPOSIT_BRANCH = "m/44'/195'/0'/0";
const HOT_PATH = "m/44'/195'/1'/0/0";

/** A key in hex, and the address that it signs for. */
export type TronAccount = { address: string; privateKey: string };

/** The extended public key from which a mnemonic's deposit addresses are derived: m/44'/195'/0'/0. */
export const tronDepositXpub = (mnemonic: string): string => derive(mnemonic, DEPOSIT_BRANCH).publicExtendedKey;

/** The account that pays out: m/44'/195'/1'/0/0, on a branch that shares nothing with deposits. */
export const tronHotAccount = (mnemonic: string): TronAccount => accountOf(derive(mnemonic, HOT_PATH));

/** The accounts of deposit addresses, by their index, for moving what they hold. */
export function tronDepositAccounts(mnemonic: string): (index: bigint) => TronAccount {
  const branch = derive(mnemonic, DEPOSIT_BRANCH);
  return (index) => accountOf(branch.deriveChild(Number(index)));
}

/** Gives the addresses below an extended public key (BIP-32), so that no private key is near the web. */
export function tronAddressesBelow(xpub: string): (index: bigint) => string {
  const evmAddressAt = evmAddressesBelow(xpub);
  return (index) => base58OfEvm(evmAddressAt(index));
}

const derive = (mnemonic: string, path: string): HDKey =>
  HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(path);

function accountOf({ privateKey }: HDKey): TronAccount {
  if (privateKey === null) throw new Error("no key can be derived for an account of TRON");
  const hex = bytesToHex(privateKey);
  return { address: base58OfEvm(privateKeyToAddress(hex)), privateKey: hex.slice(2) };
}
