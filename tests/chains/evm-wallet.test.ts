import { numberToHex, parseTransaction, recoverTransactionAddress, type Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/lib/free-port.ts";
import { heightSchema, quantitySchema } from "../../server/chains/evm/schemas.ts";
import { decodeBalanceOf, encodeBalanceOf } from "../../server/chains/evm/erc20.ts";
import { createEvmNetwork, createEvmWallet } from "../../server/chains/evm/network.ts";
import {
  NotEnoughFundsError,
  TooManyPendingError,
  type Handle,
  type NetworkWallet,
  type Payment,
} from "../../server/chains/port.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { hex, startEvmSetup, type EvmSetup } from "./support/evm.ts";
import { startRpcProxy, type RpcProxy } from "./support/rpc-proxy.ts";

let setup: EvmSetup;
let proxy: RpcProxy;
let wallet: NetworkWallet;
let index = 0n;

const nextPayment = (slug = "eth", amount = 1_000n): Payment => {
  const reader = createEvmNetwork({ ...setup.options(), xpub: setup.keys.xpub });
  return { slug, toAddress: reader.depositAddress((index += 1n)).address, toMemo: null, amount };
};
const balanceOf = async (slug: string, owner: string) => {
  const contract = setup.devnet.contracts[slug];
  if (contract === undefined) return setup.ask("eth_getBalance", [owner, "latest"], quantitySchema);
  const data = encodeBalanceOf(owner as Hex);
  return decodeBalanceOf(await setup.ask("eth_call", [{ to: contract, data }, "latest"], hex));
};
const received = ({ slug, toAddress }: Payment) => balanceOf(slug, toAddress);
const nonceOf = (handle: Handle) => Number(handle.data["nonce"]);
const minedNonce = () => setup.ask("eth_getTransactionCount", [wallet.hotAddress(), "latest"], heightSchema);
const walletOver = (rpcUrl: string, options: { timeoutMs?: number } = {}) =>
  createEvmWallet({ ...setup.options(rpcUrl), ...options, mnemonic: setup.keys.mnemonic, caps: EVM_CAPS });

beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
  proxy = await startRpcProxy(setup.devnet.rpcUrl);
  wallet = walletOver(proxy.rpcUrl);
});
beforeEach(() => proxy.behave());
afterAll(async () => {
  await proxy.stop();
  await setup.end();
});

describe("a payment", () => {
  it.each(["eth", "usdt-erc20", "dai-erc20"])(
    "of %s is signed without being sent, and arrives once however often it is sent",
    async (slug) => {
      const payment = nextPayment(slug, 1_234_567n);
      const handle = await wallet.chooseHandle(payment, []);
      proxy.calls.length = 0;
      const prepared = await wallet.prepare(payment, handle);
      expect(await wallet.prepare(payment, handle)).toEqual(prepared);
      expect(proxy.calls).toEqual([]);
      expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "absent" });
      const raw = prepared.raw as `0x02${string}`;
      expect(parseTransaction(raw)).toMatchObject({ type: "eip1559", chainId: 31_337, nonce: nonceOf(handle) });
      expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(setup.keys.hotAddress);

      expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
      expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
      expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "pending" });
      const before = await wallet.hotBalance("eth");
      const height = await setup.devnet.mine(1);
      expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
      await setup.devnet.mine(2);
      expect(await received(payment)).toBe(payment.amount);

      const found = await wallet.lookup(prepared.txId);
      expect(found).toMatchObject({ kind: "mined", height, succeeded: true });
      if (found.kind !== "mined") throw new Error("it is not mined");
      const spent = before - (await wallet.hotBalance("eth"));
      expect(found.feePaid).toBe(slug === "eth" ? spent - payment.amount : spent);
      const block = await createEvmNetwork({ ...setup.options(), xpub: setup.keys.xpub }).blockAt(height);
      expect(block?.hash).toBe(found.hash);
    },
  );

  it("is estimated at the price that is signed, by which its destination may behave otherwise", async () => {
    const estimated: unknown[] = [];
    proxy.misbehave(({ method, params }) => {
      if (method === "eth_estimateGas") estimated.push(params[0]);
      return { kind: "pass" };
    });
    for (const payment of [nextPayment("eth"), nextPayment("usdt-erc20")]) {
      const handle = await wallet.chooseHandle(payment, []);
      const { raw } = await wallet.prepare(payment, handle);
      const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw as `0x02${string}`);
      expect(estimated.splice(0)).toMatchObject([
        { maxFeePerGas: numberToHex(maxFeePerGas), maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas) },
      ]);
    }
  });

  it("waits for coins where the gas that its wallet can pay for is not enough, and is refused where the cap is not", async () => {
    let allowance = 20_000n;
    proxy.misbehave(({ method }) =>
      method === "eth_estimateGas"
        ? {
            kind: "answer",
            body: { error: { code: -32000, message: `gas required exceeds allowance (${allowance})` } },
          }
        : { kind: "pass" },
    );
    await expect(wallet.chooseHandle(nextPayment(), [])).rejects.toBeInstanceOf(NotEnoughFundsError);
    allowance = EVM_CAPS.nativeGas;
    await expect(wallet.chooseHandle(nextPayment(), [])).rejects.toMatchObject({ reason: "gas_over_cap" });
  });

  it("that was accepted, but whose answer was lost, is unknown until it is looked up", async () => {
    const payment = nextPayment();
    const prepared = await wallet.prepare(payment, await wallet.chooseHandle(payment, []));
    const hasty = walletOver(proxy.rpcUrl, { timeoutMs: 1_000 });
    await hasty.hotBalance("eth");
    proxy.misbehave(({ method }) => ({ kind: method === "eth_sendRawTransaction" ? "lose answer" : "pass" }));
    proxy.calls.length = 0;
    const result = await hasty.broadcast(prepared);
    expect(result).toMatchObject({ kind: "unknown", reason: expect.stringMatching(/timed out|took too long/i) });
    expect(proxy.calls.filter((method) => method === "eth_sendRawTransaction")).toHaveLength(1);
    proxy.behave();
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "pending" });
    await setup.devnet.mine(1);
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "mined", succeeded: true });
    expect(await received(payment)).toBe(payment.amount);
  });

  it("that is sent to a dead node is unknown with a reason, and nothing is thrown", async () => {
    const payment = nextPayment();
    const prepared = await wallet.prepare(payment, await wallet.chooseHandle(payment, []));
    const dead = walletOver(`http://127.0.0.1:${await freePort()}`);
    expect(await dead.broadcast(prepared)).toMatchObject({ kind: "unknown", reason: expect.stringMatching(/.+/) });
    await expect(dead.lookup(prepared.txId)).rejects.toThrow();
    proxy.misbehave(() => ({ kind: "answer", body: { result: `0x${"1".repeat(64)}` } }));
    expect(await wallet.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    proxy.behave();
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "absent" });
  });

  it("on the wrong chain is not sent", async () => {
    const payment = nextPayment();
    const prepared = await wallet.prepare(payment, await wallet.chooseHandle(payment, []));
    const astray = walletOver(proxy.rpcUrl);
    proxy.misbehave(({ method }) =>
      method === "eth_chainId" ? { kind: "answer", body: { result: "0x1" } } : { kind: "pass" },
    );
    proxy.calls.length = 0;
    expect(await astray.broadcast(prepared)).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining("chain 1"),
    });
    expect(proxy.calls).not.toContain("eth_sendRawTransaction");
  });

  it("with a used nonce is unknown, and only one of two takes effect", async () => {
    const [first, second] = [nextPayment(), nextPayment()];
    const handle = await wallet.chooseHandle(first, []);
    const [winner, loser] = [await wallet.prepare(first, handle), await wallet.prepare(second, handle)];
    await wallet.broadcast(winner);
    await setup.devnet.mine(1);
    expect(await wallet.broadcast(loser)).toMatchObject({
      kind: "unknown",
      reason: expect.stringMatching(/nonce too low/i),
    });
    expect(await wallet.lookup(loser.txId)).toEqual({ kind: "absent" });
    expect([await received(first), await received(second)]).toEqual([first.amount, 0n]);
  });

  it("waits for a place where eight wait for a block", async () => {
    const reserved: Handle[] = [];
    while (reserved.length < 8) reserved.push(await wallet.chooseHandle(nextPayment(), reserved));
    await expect(wallet.chooseHandle(nextPayment(), reserved)).rejects.toBeInstanceOf(TooManyPendingError);
  });

  it("that fails on the chain is seen as mined without success", async () => {
    const payment = nextPayment("usdt-erc20", 10n);
    const handle = await wallet.chooseHandle(payment, []);
    const prepared = await wallet.prepare({ ...payment, amount: 2n ** 200n }, handle);
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    await setup.devnet.mine(1);
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "mined", succeeded: false });
  });

  it("is pending or absent again once a reorg has taken its block away, and the same bytes bring it back", async () => {
    const payment = nextPayment("usdc-erc20", 77n);
    const prepared = await wallet.prepare(payment, await wallet.chooseHandle(payment, []));
    await wallet.broadcast(prepared);
    await setup.devnet.mine(1);
    await setup.devnet.reorg(1);
    expect((await wallet.lookup(prepared.txId)).kind).not.toBe("mined");
    expect(await received(payment)).toBe(0n);
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    await setup.devnet.mine(1);
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "mined", succeeded: true });
    expect(await received(payment)).toBe(77n);
  });
});

describe("a nonce", () => {
  it("follows what is mined and what is reserved, whichever is higher", async () => {
    const payment = nextPayment();
    const mined = await minedNonce();
    const first = await wallet.chooseHandle(payment, []);
    expect(nonceOf(first)).toBe(mined);
    const second = await wallet.chooseHandle(payment, [first]);
    expect(nonceOf(second)).toBe(mined + 1);
    expect(nonceOf(await wallet.chooseHandle(payment, [second, first]))).toBe(mined + 2);
    expect(nonceOf(await wallet.chooseHandle(payment, [second]))).toBe(mined + 2);
    expect(new Set([...first.keys, ...second.keys])).toEqual(
      new Set([`${wallet.hotAddress()}:${mined}`, `${wallet.hotAddress()}:${mined + 1}`]),
    );

    await wallet.broadcast(await wallet.prepare(payment, first));
    expect(nonceOf(await wallet.chooseHandle(payment, []))).toBe(mined);
    await setup.devnet.mine(1);
    expect(nonceOf(await wallet.chooseHandle(payment, []))).toBe(mined + 1);
    expect(nonceOf(await wallet.chooseHandle(payment, [first]))).toBe(mined + 1);
  });

  it("is not taken from another wallet's reservations, and not signed for it", async () => {
    const payment = nextPayment();
    const handle = await wallet.chooseHandle(payment, []);
    const foreign = { keys: ["0x0:900"], data: { ...handle.data, from: setup.accounts[0], nonce: 900 } };
    expect(nonceOf(await wallet.chooseHandle(payment, [foreign]))).toBe(await minedNonce());
    await expect(wallet.prepare(payment, foreign)).rejects.toThrow("another wallet");
  });

  it("that is sent before the previous one waits for it", async () => {
    const [early, late] = [nextPayment(), nextPayment()];
    const first = await wallet.chooseHandle(early, []);
    const second = await wallet.chooseHandle(late, [first]);
    const [one, two] = [await wallet.prepare(early, first), await wallet.prepare(late, second)];
    expect(await wallet.broadcast(two)).toEqual({ kind: "accepted" });
    await setup.devnet.mine(1);
    expect(await wallet.lookup(two.txId)).toEqual({ kind: "pending" });
    expect(await wallet.broadcast(one)).toEqual({ kind: "accepted" });
    await setup.devnet.mine(1);
    for (const { txId } of [one, two])
      expect(await wallet.lookup(txId)).toMatchObject({ kind: "mined", succeeded: true });
  });

  it("is not chosen for what the wallet can't pay", async () => {
    const balance = await wallet.hotBalance("usdt-erc20");
    expect(balance).toBe(await balanceOf("usdt-erc20", wallet.hotAddress()));
    await expect(wallet.chooseHandle(nextPayment("usdt-erc20", balance + 1n), [])).rejects.toThrow();
    await expect(wallet.chooseHandle(nextPayment("btc"), [])).rejects.toThrow("btc");
  });
});
