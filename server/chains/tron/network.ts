import type { SweepingWallet } from "../port.ts";
import { readTronInstruments, type TronInstrument } from "./instruments.ts";
import { tronDepositAccounts, tronHotAccount } from "./keys.ts";
import { createTronReader, type TronReader } from "./reader.ts";
import { createTronRpc, type TronNodeOptions } from "./rpc.ts";
import { createTronWalletFrom } from "./wallet.ts";

export type TronNetworkOptions = TronNodeOptions & {
  /** `TRX`. */
  networkTitle: string;
  /** A node that serves another chain is refused. */
  chainId: number;
  instruments: readonly TronInstrument[];
};

/** TRON to read: deposit addresses below `xpub` (m/44'/195'/0'/0), solidified blocks, fees. It holds no key and connects on first use. */
export function createTronNetwork(
  options: TronNetworkOptions & { xpub: string; hotAddress?: string | null },
): TronReader {
  const { networkTitle, chainId, xpub, hotAddress = null } = options;
  const instruments = readTronInstruments(options.instruments);
  return createTronReader(createTronRpc(options), { networkTitle, chainId, instruments, xpub, hotAddress });
}

/** The wallet that pays out on TRON, from m/44'/195'/1'/0/0 of the mnemonic (engine law 14: worker role only). */
export function createTronWallet(options: TronNetworkOptions & { mnemonic: string }): SweepingWallet {
  const { networkTitle, chainId, mnemonic } = options;
  return createTronWalletFrom(createTronRpc(options), {
    networkTitle,
    chainId,
    instruments: readTronInstruments(options.instruments),
    account: tronHotAccount(mnemonic),
    depositAccountAt: tronDepositAccounts(mnemonic),
  });
}
