import { numberToHex, type Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { encodeTransfer } from "../../server/chains/evm/erc20.ts";
import { depositXpub, hotAccount } from "../../server/chains/evm/keys.ts";
import { loadOrCreateSandboxKeys } from "../../server/devnet/evm/keys.ts";
import { createEvmNetwork } from "../../server/chains/evm/network.ts";
import { creationCode } from "../../server/devnet/evm/tokens.ts";
import type { EvmReader } from "../../server/chains/evm/reader.ts";
import { createNetworkStatus, monitorReader } from "../../server/chains/network-status.ts";
import { hex, log, startEvmSetup, type EvmSetup } from "./support/evm.ts";
import { startRpcProxy, type RpcProxy } from "./support/rpc-proxy.ts";

const FOUNDRY_MNEMONIC = "test test test test test test test test test test test junk";
const ENOUGH_GAS = numberToHex(200_000);

let setup: EvmSetup;
let proxy: RpcProxy;
let reader: EvmReader;
let index = 0n;

const nextDepositAddress = () => reader.depositAddress((index += 1n)).address as Hex;
const readerOver = (rpcUrl: string) =>
  createEvmNetwork({ ...setup.options(rpcUrl), xpub: setup.keys.xpub, hotAddress: setup.keys.hotAddress });
const contractOf = (slug: string) => setup.devnet.contracts[slug] as Hex;
/** Sends without simulating it first. */
const send = (request: { from: Hex; to?: Hex; value?: Hex; data?: Hex; gas?: Hex }) =>
  setup.ask("eth_sendTransaction", [{ gas: ENOUGH_GAS, ...request }], hex);
const transactionsAt = async (height: number) =>
  (
    await setup.ask(
      "eth_getBlockByNumber",
      [numberToHex(height), false],
      z.object({ transactions: z.array(z.string()) }),
    )
  ).transactions;

beforeAll(async () => {
  setup = await startEvmSetup();
  // Blocks come when a test makes them, so that it knows what each holds.
  await setup.devnet.setPaused(true);
  proxy = await startRpcProxy(setup.devnet.rpcUrl);
  reader = readerOver(proxy.rpcUrl);
});
beforeEach(() => proxy.behave());
afterAll(async () => {
  await proxy.stop();
  await setup.end();
});

describe("deposit addresses", () => {
  it("are those of the mnemonic's own keys", () => {
    const { mnemonic } = setup.keys;
    for (const addressIndex of [0, 1, 2, 77, 2_000_000]) {
      const { address } = mnemonicToAccount(mnemonic, { addressIndex });
      expect(reader.depositAddress(BigInt(addressIndex))).toEqual({ address, memo: null });
    }
  });

  it("are those of other wallets for the same mnemonic", () => {
    const known = createEvmNetwork({ ...setup.options(), xpub: depositXpub(FOUNDRY_MNEMONIC) });
    expect(known.depositAddress(0n).address).toBe("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    expect(known.depositAddress(9n).address).toBe("0xa0Ee7A142d267C1f36714E4a8F75612F20a79720");
  });

  it("never equal the hot wallet, and their keys are not public", () => {
    const { mnemonic, xpub } = setup.keys;
    expect(hotAccount(mnemonic).address).toBe(mnemonicToAccount(mnemonic, { path: "m/44'/60'/1'/0/0" }).address);
    expect(xpub).toMatch(/^xpub/);
    expect(reader.parseAddress(setup.keys.hotAddress)).toEqual({ valid: false, code: "error_address_unpayable" });
    expect(reader.parseAddress(contractOf("usdt-erc20"))).toEqual({ valid: false, code: "error_address_unpayable" });
  });

  it("are refused beyond BIP-32's range", () => {
    expect(() => reader.depositAddress(2n ** 31n)).toThrow(RangeError);
    expect(() => reader.depositAddress(-1n)).toThrow(RangeError);
  });

  it("stay the same from one start to the next", async () => {
    expect(await loadOrCreateSandboxKeys(setup.dataDir)).toEqual(setup.keys);
  });
});

describe("a block", () => {
  it("shows a native deposit at its height", async () => {
    const to = nextDepositAddress();
    const txId = await setup.devnet.pay({ to, slug: "eth", amount: 123_456_789n });
    const height = await setup.devnet.mine(1);
    const block = await reader.blockAt(height);
    expect(block).toMatchObject({
      height,
      transfers: [{ txId, outputIndex: -1, toAddress: to, slug: "eth", amount: 123_456_789n }],
    });
    const { minedAt, ...head } = await reader.head();
    expect(head).toEqual({ height, hash: block?.hash, parentHash: block?.parentHash });
    expect(Math.abs((minedAt ?? 0) - Date.now())).toBeLessThan(600_000);
    expect((await reader.blockAt(height - 1))?.hash).toBe(block?.parentHash);
    expect((await reader.blockAt(height - 1))?.transfers).toEqual([]);
    expect(await reader.blockAt(height + 1)).toBeNull();
  });

  it("shows each token by its contract, with the place of its log in its own transaction", async () => {
    const [first, second, third] = [nextDepositAddress(), nextDepositAddress(), nextDepositAddress()];
    const paid = [
      { to: first, slug: "usdt-erc20", amount: 5_000_000n },
      { to: second, slug: "dai-erc20", amount: 7n * 10n ** 18n },
      { to: third, slug: "usdc-erc20", amount: 1n },
    ];
    const txIds: string[] = [];
    for (const payment of paid) txIds.push(await setup.devnet.pay(payment));
    const height = await setup.devnet.mine(1);
    const transfers = (await reader.blockAt(height))?.transfers ?? [];
    expect(transfers.map(({ outputIndex }) => outputIndex)).toEqual([0, 0, 0]);
    expect(
      new Set(transfers.map(({ txId, toAddress, slug, amount }) => `${txId} ${toAddress} ${slug} ${amount}`)),
    ).toEqual(new Set(paid.map(({ to, slug, amount }, at) => `${txIds[at]} ${to} ${slug} ${amount}`)));
  });

  it("shows no value that was reverted", async () => {
    const from = setup.accounts[2] as Hex;
    const to = nextDepositAddress();
    // The token takes no coin, so the first fails with its value; the second asks for more than there is.
    const tooMuch = encodeTransfer(to, 2n ** 200n);
    const sent = [
      await send({ from, to: contractOf("usdt-erc20"), value: "0x5" }),
      await send({ from, to: contractOf("usdt-erc20"), data: tooMuch }),
    ];
    const height = await setup.devnet.mine(1);
    expect((await transactionsAt(height)).toSorted()).toEqual(sent.toSorted());
    expect((await reader.blockAt(height))?.transfers).toEqual([]);
  });

  it("shows no token of an unknown contract, whatever its symbol", async () => {
    const from = setup.accounts[2] as Hex;
    const to = nextDepositAddress();
    const data = creationCode({ name: "Tether USD", symbol: "USDT", decimals: 6 }, [from]);
    const made = await send({ from, data, gas: numberToHex(3_000_000) });
    await setup.devnet.mine(1);
    const { contractAddress } = await setup.ask(
      "eth_getTransactionReceipt",
      [made],
      z.object({ contractAddress: hex }),
    );
    const sent = await send({ from, to: contractAddress, data: encodeTransfer(to, 9_000_000n) });
    const height = await setup.devnet.mine(1);
    const { status, logs } = await setup.ask(
      "eth_getTransactionReceipt",
      [sent],
      z.object({ status: z.string(), logs: z.array(z.unknown()) }),
    );
    expect({ status, logs: logs.length }).toEqual({ status: "0x1", logs: 1 });
    expect((await reader.blockAt(height))?.transfers).toEqual([]);
  });

  it("shows no transfer of nothing", async () => {
    const from = setup.accounts[2] as Hex;
    const to = nextDepositAddress();
    const sent = [
      await send({ from, to, value: "0x0" }),
      await send({ from, to: contractOf("usdt-erc20"), data: encodeTransfer(to, 0n) }),
    ];
    const height = await setup.devnet.mine(1);
    expect(await transactionsAt(height)).toHaveLength(sent.length);
    expect((await reader.blockAt(height))?.transfers).toEqual([]);
  });

  it("is another one after a reorg, and so is its child's parent", async () => {
    const to = nextDepositAddress();
    await setup.devnet.pay({ to, slug: "eth", amount: 1n });
    const height = await setup.devnet.mine(1);
    await setup.devnet.mine(1);
    const before = await reader.blockAt(height);
    expect(before?.transfers).toHaveLength(1);

    expect(await setup.devnet.reorg(2)).toBe(height + 1);

    const after = await reader.blockAt(height);
    expect(after?.hash).not.toBe(before?.hash);
    expect(after?.parentHash).toBe(before?.parentHash);
    expect(after?.transfers).toEqual([]);
    expect((await reader.blockAt(height + 1))?.parentHash).toBe(after?.hash);
  });
});

describe("a node with faults", () => {
  it("may lack the receipts of a whole block", async () => {
    const to = nextDepositAddress();
    const failed = await send({ from: setup.accounts[2] as Hex, to: contractOf("usdt-erc20"), value: "0x5" });
    const txId = await setup.devnet.pay({ to, slug: "eth", amount: 8n });
    const height = await setup.devnet.mine(1);
    expect((await transactionsAt(height)).toSorted()).toEqual([failed, txId].toSorted());
    proxy.misbehave(({ method }) =>
      method === "eth_getBlockReceipts"
        ? { kind: "answer", body: { error: { code: -32601, message: "the method does not exist" } } }
        : { kind: "pass" },
    );
    expect((await reader.blockAt(height))?.transfers).toMatchObject([{ txId, amount: 8n }]);
    expect(proxy.calls.slice(-4)).toContain("eth_getTransactionReceipt");
  });

  it("is refused when a receipt is of another block, or missing", async () => {
    await setup.devnet.pay({ to: nextDepositAddress(), slug: "eth", amount: 8n });
    const height = await setup.devnet.mine(1);
    await setup.devnet.pay({ to: nextDepositAddress(), slug: "eth", amount: 8n });
    const other = await setup.devnet.mine(1);
    const receipts = await setup.ask("eth_getBlockReceipts", [numberToHex(other)], z.array(z.unknown()));
    for (const result of [receipts, []]) {
      proxy.misbehave(({ method }) =>
        method === "eth_getBlockReceipts" ? { kind: "answer", body: { result } } : { kind: "pass" },
      );
      await expect(reader.blockAt(height)).rejects.toThrow(/receipt/);
    }
  });

  it("is asked for no logs of a block without transactions", async () => {
    const height = await setup.devnet.mine(1);
    expect(await transactionsAt(height)).toEqual([]);
    const before = proxy.calls.length;
    expect(await reader.blockAt(height)).toMatchObject({ height, transfers: [] });
    expect(proxy.calls.slice(before)).toEqual(["eth_getBlockByNumber"]);
  });

  it("is refused when it returns logs that were not requested", async () => {
    const to = nextDepositAddress();
    await setup.devnet.pay({ to, slug: "usdt-erc20", amount: 8n });
    const height = await setup.devnet.mine(1);
    const { hash } = (await reader.blockAt(height)) ?? { hash: "" };
    const logs = await setup.ask("eth_getLogs", [{ blockHash: hash }], z.array(z.record(z.string(), z.unknown())));
    const lies = [
      { ...logs[0], address: setup.accounts[3] },
      { ...logs[0], removed: true },
      { ...logs[0], blockHash: `0x${"1".repeat(64)}` },
    ];
    proxy.misbehave(({ method }) =>
      method === "eth_getLogs" ? { kind: "answer", body: { result: lies } } : { kind: "pass" },
    );
    expect((await reader.blockAt(height))?.transfers).toEqual([]);
    proxy.misbehave(({ method }) =>
      method === "eth_getLogs" ? { kind: "answer", body: { result: logs } } : { kind: "pass" },
    );
    expect((await reader.blockAt(height))?.transfers).toHaveLength(1);
  });

  it("is refused when it serves another chain, and checked again later", async () => {
    const fresh = readerOver(proxy.rpcUrl);
    proxy.misbehave(({ method }) =>
      method === "eth_chainId" ? { kind: "answer", body: { result: "0x1" } } : { kind: "pass" },
    );
    await expect(fresh.head()).rejects.toThrow("chain 1");
    await expect(fresh.blockAt(1)).rejects.toThrow("chain 1");
    await expect(fresh.estimateFee("eth")).rejects.toThrow("chain 1");
    proxy.behave();
    await fresh.head();
    const asked = proxy.calls.filter((method) => method === "eth_chainId").length;
    await fresh.head();
    expect(proxy.calls.filter((method) => method === "eth_chainId")).toHaveLength(asked);
  });

  it("is refused when its response has another shape", async () => {
    proxy.misbehave(() => ({ kind: "answer", body: { result: { number: 12, hash: "0x1" } } }));
    await expect(reader.head()).rejects.toThrow();
  });

  it("ends a call at the time limit", async () => {
    proxy.misbehave(() => ({ kind: "lose answer" }));
    const hasty = createEvmNetwork({ ...setup.options(proxy.rpcUrl), timeoutMs: 500, xpub: setup.keys.xpub });
    const started = performance.now();
    await expect(hasty.head()).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it("is down while it is dead, and up again with its first answer", async () => {
    let now = 0;
    const status = createNetworkStatus({ log, now: () => now });
    const watched = monitorReader(reader, status);
    await watched.head();
    expect(status.isUp("ETH")).toBe(true);
    proxy.misbehave(() => ({ kind: "cut" }));
    await expect(watched.head()).rejects.toThrow();
    expect(status.isUp("ETH")).toBe(true);
    now += 10_000;
    await expect(watched.blockAt(1)).rejects.toThrow();
    expect(status.isUp("ETH")).toBe(false);
    proxy.behave();
    await watched.head();
    expect(status.isUp("ETH")).toBe(true);
  });
});

describe("fees", () => {
  it("cover what a payment costs, within a factor of two, and stay the same", async () => {
    for (const [slug, gas] of [
      ["eth", 21_000n],
      ["usdt-erc20", 51_600n],
    ] as const) {
      const fee = await reader.estimateFee(slug);
      const cost = gas * 1_000_000_007n;
      expect(fee).toBeGreaterThan(cost);
      expect(fee).toBeLessThan(2n * cost);
      await setup.devnet.mine(20);
      expect(await reader.estimateFee(slug)).toBe(fee);
    }
  });

  it("are unknown for what the network does not carry", async () => {
    await expect(reader.estimateFee("btc")).rejects.toThrow("btc");
  });
});
