import { readdirSync } from "node:fs";
import { privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import type * as z from "zod";
import { EVM_CAPS } from "../../tests/support/chains/evm-caps.ts";
import { chainOf } from "./bitcoin/chain-params.ts";
import { hotKey } from "./bitcoin/keys.ts";
import { createBitcoinWalletFrom } from "./bitcoin/wallet.ts";
import { readInstruments } from "./evm/instruments.ts";
import { createEvmWalletFrom } from "./evm/wallet.ts";
import type { Daemon } from "./monero/daemon.ts";
import type { HotWallet } from "./monero/hot-wallet.ts";
import { createMoneroWalletFrom } from "./monero/wallet.ts";
import type { NetworkWallet } from "./port.ts";
import { readTronInstruments } from "./tron/instruments.ts";
import { tronDepositAccounts, tronHotAccount } from "./tron/keys.ts";
import { createTronWalletFrom } from "./tron/wallet.ts";

const MNEMONIC = "test test test test test test test test test test test junk";
const TRON_GENESIS = {
  blockID: "0".repeat(56) + "00000001",
  block_header: { raw_data: { number: 0, parentHash: "0".repeat(64), timestamp: 1 } },
};

/** A node that says which chain it is on, and nothing else. */
const answering =
  (answers: Record<string, unknown>) =>
  async <T>(method: string, _: unknown, schema: z.ZodType<T>): Promise<T> =>
    schema.parse(answers[method]);

const wallets: Record<string, () => NetworkWallet> = {
  evm: () => {
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const instruments = readInstruments([{ slug: "eth", contractAddress: null, decimals: 18 }]);
    const options = { networkTitle: "ETH", chainId: 1, instruments, account, caps: EVM_CAPS };
    return createEvmWalletFrom({ call: answering({ eth_chainId: "0x1" }) }, options);
  },
  bitcoin: () => {
    const chain = chainOf("LTC", "regtest");
    return createBitcoinWalletFrom({ call: answering({}) }, chain, hotKey(chain, MNEMONIC), async () => undefined);
  },
  monero: () => {
    const options = { networkTitle: "XMR", slug: "xmr", feePerByte: 1_000n };
    return createMoneroWalletFrom({} as Daemon, {} as HotWallet, options);
  },
  tron: () => {
    const instruments = readTronInstruments([{ slug: "trx", contractAddress: null, decimals: 6 }]);
    const account = tronHotAccount(MNEMONIC);
    const depositAccountAt = tronDepositAccounts(MNEMONIC);
    const options = { networkTitle: "TRX", chainId: 1, instruments, account, feeLimit: 1n, depositAccountAt };
    return createTronWalletFrom({ call: answering({ "walletsolidity/getblock": TRON_GENESIS }) }, options);
  },
};
/** A chain of ours, whose lookup says what has replaced a payment. */
const WITHOUT_PROOF = ["simulated"];

it("no driver proves a payment dead of which only the id is known, and none fails over it", async () => {
  const folders = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const drivers = folders.flatMap((path) => /^(\w+)\/wallet\.ts$/.exec(path)?.[1] ?? []);
  expect(drivers.toSorted()).toEqual([...Object.keys(wallets), ...WITHOUT_PROOF].toSorted());
  const asked = Object.entries(wallets).map(async ([driver, walletOf]) => {
    const { deadAt } = walletOf();
    if (deadAt === undefined) throw new Error(`${driver} has no proof`);
    return deadAt({ raw: "", txId: "ab".repeat(32) }, 100);
  });
  expect(await Promise.all(asked)).toEqual(Object.keys(wallets).map(() => null));
});
