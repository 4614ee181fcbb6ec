import { afterAll, beforeAll, expect, it } from "vitest";
import { recoverTransactionAddress } from "viem";
import { createEvmNetwork, createEvmWallet } from "../../server/chains/evm/network.ts";
import type { DepositSource, SweepingWallet } from "../../server/chains/port.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { startEvmSetup, type EvmSetup } from "./support/evm.ts";

let setup: EvmSetup;
let wallet: SweepingWallet;
const source = (index: bigint): DepositSource => ({
  index,
  address: createEvmNetwork({ ...setup.options(), xpub: setup.keys.xpub }).depositAddress(index).address,
});
const paymentOf = (slug: string, amount: bigint) => ({ slug, toAddress: wallet.hotAddress(), toMemo: null, amount });
const paid = async (from: DepositSource, slug: string, amount: bigint) => {
  await setup.devnet.pay({ to: from.address, slug, amount });
  await setup.devnet.mine(1);
};
const move = async (from: DepositSource, slug: string, amount: bigint) => {
  const payment = paymentOf(slug, amount);
  const handle = await wallet.chooseSweepHandle(from, payment, []);
  if (handle === null) throw new Error("the address can't pay its fee");
  const prepared = await wallet.prepareSweep(from, payment, handle);
  expect(await wallet.prepareSweep(from, payment, handle)).toEqual(prepared);
  const serializedTransaction = prepared.raw as `0x02${string}`;
  expect(await recoverTransactionAddress({ serializedTransaction })).toBe(from.address);
  expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
  await setup.devnet.mine(1);
  expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "mined", succeeded: true });
};

beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
  wallet = createEvmWallet({ ...setup.options(), mnemonic: setup.keys.mnemonic, caps: EVM_CAPS });
});
afterAll(() => setup.end());

it("moves all ether of a deposit address but what its gas may cost", async () => {
  const from = source(1n);
  const amount = 10n ** 17n;
  await paid(from, "eth", amount);
  const cost = await wallet.sweepCost(from, paymentOf("eth", amount));
  const before = await wallet.hotBalance("eth");
  await move(from, "eth", amount - cost);
  expect((await wallet.hotBalance("eth")) - before).toBe(amount - cost);
  expect(await wallet.depositBalance(from, "eth")).toBeLessThan(cost);
});

it("moves a token with the gas that it was given, and not without", async () => {
  const from = source(2n);
  const amount = 1_500_000_000n;
  await paid(from, "usdt-erc20", amount);
  expect(await wallet.chooseSweepHandle(from, paymentOf("usdt-erc20", amount), [])).toBeNull();
  await paid(from, "eth", await wallet.sweepCost(from, paymentOf("usdt-erc20", amount)));
  await move(from, "usdt-erc20", amount);
  expect(await wallet.depositBalance(from, "usdt-erc20")).toBe(0n);
});

it("signs for no address but its own", async () => {
  const handle = { keys: ["x"], data: {} };
  const wrong = { ...source(3n), index: 4n };
  await expect(wallet.prepareSweep(wrong, paymentOf("eth", 1n), handle)).rejects.toThrow("is not that of");
});

it("fills a gap below its nonce by its own account, and then moves what is left", async () => {
  const from = source(5n);
  const amount = 10n ** 17n;
  await paid(from, "eth", amount);
  const cost = await wallet.sweepCost(from, paymentOf("eth", amount));
  const payment = paymentOf("eth", amount - cost);
  const below = await wallet.chooseSweepHandle(from, payment, []);
  const handle = below && (await wallet.chooseSweepHandle(from, payment, [below]));
  if (below === null || handle === null) throw new Error("the address can't pay its fee");
  const stuck = await wallet.prepareSweep(from, payment, handle);
  await wallet.broadcast(stuck);
  const empty = await wallet.prepareSweepCancellation?.(from, below, []);
  if (empty == null) throw new Error("nothing was signed");
  expect(await recoverTransactionAddress({ serializedTransaction: empty.raw as `0x02${string}` })).toBe(from.address);
  expect(await wallet.broadcast(empty)).toEqual({ kind: "accepted" });
  await setup.devnet.mine(2);
  expect(await wallet.lookup(empty.txId)).toMatchObject({ kind: "mined", succeeded: true });
  expect((await wallet.lookup(stuck.txId)).kind).not.toBe("mined");
  const anew = await wallet.prepareSweepReplacement?.(from, payment, handle, [stuck]);
  if (anew == null) throw new Error("nothing was signed");
  expect(anew.amount).toBeLessThan(payment.amount);
  expect(await wallet.broadcast(anew)).toEqual({ kind: "accepted" });
  await setup.devnet.mine(1);
  expect(await wallet.lookup(anew.txId)).toMatchObject({ kind: "mined", succeeded: true });
});
