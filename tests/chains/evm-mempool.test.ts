import { getAddress } from "viem";
import * as z from "zod";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createEvmWallet } from "../../server/chains/evm/network.ts";
import type { Payment, SweepingWallet } from "../../server/chains/port.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { startEvmSetup, type EvmSetup } from "./support/evm.ts";
import { startRpcProxy, type RpcProxy } from "./support/rpc-proxy.ts";

let setup: EvmSetup;
let proxy: RpcProxy;
let wallet: SweepingWallet;
beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
  proxy = await startRpcProxy(setup.devnet.rpcUrl);
});
beforeEach(() => {
  proxy.behave();
  wallet = createEvmWallet({ ...setup.options(proxy.rpcUrl), mnemonic: setup.keys.mnemonic, caps: EVM_CAPS });
});
afterAll(async () => {
  await proxy.stop();
  await setup.end();
});

const toAddress = getAddress(`0x${"7".repeat(40)}`);
const coins: Payment = { slug: "eth", toAddress, toMemo: null, amount: 10n ** 15n };
const tokens: Payment = { slug: "usdt-erc20", toAddress, toMemo: null, amount: 5_000_000n };

it("shows what waits in the mempool from the hot wallet, also behind a nonce that is missing, and what it pays", async () => {
  expect(await wallet.recentPayments?.(0)).toEqual([]);
  const first = await wallet.chooseHandle(coins, []);
  const second = await wallet.chooseHandle(tokens, [first]);
  const behind = await wallet.prepare(tokens, second);
  await wallet.broadcast(behind);
  const shownBehind = {
    txId: behind.txId,
    height: null,
    key: second.keys[0],
    data: second.data,
    pays: [{ to: toAddress, slug: "usdt-erc20", amount: tokens.amount }],
  };
  expect(await wallet.recentPayments?.(0)).toEqual([shownBehind]);
  const sent = await wallet.prepare(coins, first);
  await wallet.broadcast(sent);
  const shown = {
    txId: sent.txId,
    height: null,
    key: first.keys[0],
    data: first.data,
    pays: [{ to: toAddress, slug: "eth", amount: coins.amount }],
  };
  expect(await wallet.recentPayments?.(0)).toEqual([shown, shownBehind]);

  // A provider that shows no mempool still counts.
  const body = { error: { code: -32_601, message: "the method does not exist" } };
  proxy.misbehave(({ method }) => (method.startsWith("txpool_") ? { kind: "answer", body } : { kind: "pass" }));
  const blind = createEvmWallet({ ...setup.options(proxy.rpcUrl), mnemonic: setup.keys.mnemonic, caps: EVM_CAPS });
  expect(await blind.recentPayments?.(0)).toEqual([shown, shownBehind]);
  const withoutPending = createEvmWallet({
    ...setup.options(proxy.rpcUrl),
    mnemonic: setup.keys.mnemonic,
    caps: EVM_CAPS,
  });
  proxy.misbehave(({ method, params }) =>
    method.startsWith("txpool_") || params[0] === "pending" ? { kind: "answer", body } : { kind: "pass" },
  );
  const counted = [first, second].map(({ keys }) => ({ txId: null, height: null, key: keys[0] }));
  expect(await withoutPending.recentPayments?.(0)).toEqual(counted);
  await setup.ask("anvil_mine", ["0x1"], z.null());
  expect(await blind.recentPayments?.(0)).toEqual([]);
  proxy.behave();
  expect(await wallet.recentPayments?.(0)).toEqual([]);
});

it("takes an error that passes neither for a node without a mempool nor for an empty one, and asks again", async () => {
  await setup.ask("anvil_mine", ["0x1"], z.null());
  for (const code of [-32_000, -32_002, -32_005, -32_603]) {
    const body = { error: { code, message: "request timed out" } };
    proxy.misbehave(({ method }) => (method.startsWith("txpool_") ? { kind: "answer", body } : { kind: "pass" }));
    await expect(wallet.recentPayments?.(0)).rejects.toThrow();
  }
  const strange = { result: { pending: [], queued: "none" } };
  proxy.misbehave(({ method }) =>
    method.startsWith("txpool_") ? { kind: "answer", body: strange } : { kind: "pass" },
  );
  await expect(wallet.recentPayments?.(0)).rejects.toThrow();
  const body = { error: { code: -32_601, message: "the method does not exist" } };
  proxy.misbehave(({ method }) => (method.startsWith("txpool_") ? { kind: "answer", body } : { kind: "pass" }));
  expect(await wallet.recentPayments?.(0)).toEqual([]);
  proxy.behave();
  proxy.calls.length = 0;
  await wallet.recentPayments?.(0);
  expect(proxy.calls).toContain("txpool_contentFrom");
});
