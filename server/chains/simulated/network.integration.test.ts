import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { simulatedChain } from "../../../tests/support/chains/simulated-chain.ts";
import type { Handle, NetworkWallet, Payment, PreparedPayment } from "../port.ts";
import { faultyNode, noFaults } from "../../../tests/support/chains/simulated-faults.ts";
import type { SimulatedChain } from "./network.ts";
import { signTransaction } from "./transaction.ts";

const OUTSIDE = {
  BTC: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  XRP: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
  TRX: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
};
const BTC_FEE = 2_000n;
const XRP_FEE = 12n;
/** One XRP, which opens an account. */
const MILLION = 1_000_000n;

let database: TestDatabase;
let time = 0;
const now = () => time;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty("sandbox_networks");
  time = 0;
});

const btc = (amount: bigint): Payment => ({ slug: "btc", toAddress: OUTSIDE.BTC, toMemo: null, amount });
const xrp = (amount: bigint, toMemo: string | null = null): Payment => ({
  slug: "xrp",
  toAddress: OUTSIDE.XRP,
  toMemo,
  amount,
});

async function sign(wallet: NetworkWallet, payment: Payment, reserved: readonly Handle[] = []) {
  const handle = await wallet.chooseHandle(payment, reserved);
  return { handle, prepared: await wallet.prepare(payment, handle) };
}
async function send(wallet: NetworkWallet, payment: Payment): Promise<PreparedPayment> {
  const { prepared } = await sign(wallet, payment);
  expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
  return prepared;
}
const held = (chain: SimulatedChain, address: string, slug: string) => chain.node.balance(address, slug);

describe("blocks", () => {
  it("are mined on time, each on the one before it", async () => {
    const { node } = await simulatedChain(database, "BTC", ["btc"], now);
    const first = await node.head();
    time = 3_999;
    expect(await node.head()).toEqual(first);
    time = 4_000;
    const second = await node.head();
    expect(second).toMatchObject({ height: first.height + 1, parentHash: first.hash });
    expect(await node.blockAt(second.height)).toEqual({ ...second, transfers: [] });
    expect(await node.blockAt(second.height + 1)).toBeNull();
    time = 16_000;
    expect((await node.head()).height, "all that are due").toBe(second.height + 3);
    time = 3_600_000;
    expect((await node.head()).height, "nobody has read it for long").toBe(second.height + 3);
    expect(await node.blockAt(second.height + 4), "its next block is asked for").not.toBeNull();
    expect((await node.head()).height).toBe(second.height + 4);
  });

  it("go on after a clock was far ahead for a while", async () => {
    const { node } = await simulatedChain(database, "BTC", ["btc"], now);
    const yearMs = 365 * 24 * 3_600_000;
    const { height } = await node.head();
    time = yearMs;
    expect(await node.blockAt(height + 1)).not.toBeNull();
    time = 10_000;
    expect(await node.blockAt(height + 2), "its next block is asked for").not.toBeNull();
    expect(await node.blockAt(height + 3)).toBeNull();
    time = 13_999;
    expect((await node.head()).height).toBe(height + 2);
    time = 14_000;
    expect((await node.head()).height).toBe(height + 3);
  });

  it("stop while the clock is paused, and can still be mined", async () => {
    const { node, controls } = await simulatedChain(database, "BTC", ["btc"], now);
    const { height } = await node.head();
    await controls.setPaused(true);
    time = 60_000;
    expect([(await node.head()).height, await controls.isPaused()]).toEqual([height, true]);
    await controls.mine(3);
    expect((await node.head()).height).toBe(height + 3);
    await controls.setPaused(false);
    time += 4_000;
    expect((await node.head()).height).toBe(height + 4);
  });

  it("ask for fees that all networks read with one statement, each as it is when it is asked for", async () => {
    const [btc, xrp] = [await simulatedChain(database, "BTC"), await simulatedChain(database, "XRP")];
    await btc.controls.setFees(300);
    const fees = () => Promise.all([btc, xrp].map(({ node }) => node.feePercent()));
    const statements = vi.spyOn(database.pool, "connect");
    onTestFinished(() => statements.mockRestore());
    expect(await fees()).toEqual([300, 100]);
    expect(statements).toHaveBeenCalledTimes(1);
    await xrp.controls.setFees(200);
    expect(await fees()).toEqual([300, 200]);
  });

  it("that rest cost one statement at each check", async () => {
    const { node } = await simulatedChain(database, "BTC", ["btc"], now);
    time = 4_000;
    const { height } = await node.head();
    const statements = vi.spyOn(database.pool, "connect");
    onTestFinished(() => statements.mockRestore());
    await node.head();
    expect(await node.blockAt(height)).toMatchObject({ transfers: [] });
    expect(await node.blockAt(height + 1)).toBeNull();
    expect(statements).toHaveBeenCalledTimes(3);
  });

  it("are the same for every process, and each is mined once", async () => {
    const chains = await Promise.all(Array.from({ length: 4 }, () => simulatedChain(database, "BTC", ["btc"], now)));
    const heights = await Promise.all(chains.map((chain) => chain.controls.height()));
    expect(new Set(heights).size).toBe(1);
    time = 4_000;
    const heads = await Promise.all([...chains, ...chains].map((chain) => chain.node.head()));
    expect(new Set(heads.map((head) => `${head.height} ${head.hash}`)).size).toBe(1);
    expect(heads[0]?.height).toBe((heights[0] ?? 0) + 1);
    expect(new Set(chains.map((chain) => chain.hotAddress)).size).toBe(1);
    expect(await held(chains[0] as SimulatedChain, chains[0]?.hotAddress ?? "", "btc")).toBe(1_000n * 10n ** 8n);
  });

  it("include what a transaction pays, and are the same after a restart", async () => {
    const chain = await simulatedChain(database, "XRP");
    const { txId } = await chain.controls.pay({ address: OUTSIDE.XRP, memo: "7", slug: "xrp", amount: 5n });
    expect(await chain.node.lookup(txId)).toEqual({ kind: "pending" });
    await chain.controls.mine(1);
    const { height, hash } = await chain.node.head();
    const transfers = [{ txId, outputIndex: 0, toAddress: OUTSIDE.XRP, memo: "7", slug: "xrp", amount: 5n }];
    expect(await chain.node.blockAt(height)).toMatchObject({ hash, transfers });
    const again = await simulatedChain(database, "XRP");
    expect(await again.node.blockAt(height)).toMatchObject({ hash, transfers });
    expect(await again.node.lookup(txId)).toEqual({ kind: "mined", height, hash, succeeded: true, feePaid: 0n });
    expect(again.reader().depositAddress(5n)).toEqual(chain.reader().depositAddress(5n));
  });
});

describe("a payment by outputs", () => {
  it("spends what it reserves, pays the fee and returns the change", async () => {
    const chain = await simulatedChain(database, "BTC");
    const wallet = chain.wallet();
    const { txId } = await send(wallet, btc(10_000_000n));
    await chain.controls.mine(1);
    expect(await wallet.lookup(txId)).toMatchObject({ kind: "mined", succeeded: true, feePaid: BTC_FEE });
    expect(await held(chain, OUTSIDE.BTC, "btc")).toBe(10_000_000n);
    expect(await wallet.hotBalance("btc")).toBe(1_000n * 10n ** 8n - 10_000_000n - BTC_FEE);
    const block = await chain.node.blockAt((await chain.node.head()).height);
    expect(block?.transfers.map((one) => [one.outputIndex, one.toAddress])).toEqual([
      [0, OUTSIDE.BTC],
      [1, chain.hotAddress],
    ]);
  });

  it("uses no input that another has reserved, and many where one is not enough", async () => {
    const { wallet: open } = await simulatedChain(database, "BTC");
    const wallet = open();
    const first = await wallet.chooseHandle(btc(1n), []);
    const second = await wallet.chooseHandle(btc(60n * 10n ** 8n), [first]);
    expect(second.keys).toHaveLength(2);
    expect(second.keys).not.toContain(first.keys[0]);
    const all = await wallet.chooseHandle(btc(999n * 10n ** 8n), []);
    expect(all.keys).toHaveLength(20);
    await expect(wallet.chooseHandle(btc(1n), [all])).rejects.toThrow("no free outputs");
  });

  it("has the same bytes each time, and is accepted once", async () => {
    const chain = await simulatedChain(database, "BTC");
    const wallet = chain.wallet();
    const { handle, prepared } = await sign(wallet, btc(5n));
    expect(await wallet.prepare(btc(5n), handle)).toEqual(prepared);
    for (let time = 0; time < 3; time += 1) expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    await chain.controls.mine(1);
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    await chain.controls.mine(1);
    expect(await held(chain, OUTSIDE.BTC, "btc")).toBe(5n);
  });

  it("can't spend an input twice, also concurrently", async () => {
    const chain = await simulatedChain(database, "BTC");
    const wallet = chain.wallet();
    const { handle } = await sign(wallet, btc(5n));
    const rivals = await Promise.all([6n, 7n, 8n].map((amount) => preparedBy(wallet, amount, handle)));
    const results = await Promise.all(rivals.map((prepared) => wallet.broadcast(prepared)));
    expect(results.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
    expect(results.find(({ kind }) => kind === "unknown")).toMatchObject({
      reason: expect.stringContaining("is spent"),
    });
    await chain.controls.mine(2);
    expect(await held(chain, OUTSIDE.BTC, "btc")).toBeLessThan(9n);
  });

  const preparedBy = (wallet: NetworkWallet, amount: bigint, { data, keys }: Handle) => {
    const change = (BigInt(String(data["change"])) + 5n - amount).toString();
    return wallet.prepare(btc(amount), { keys, data: { ...data, change } });
  };

  it("must balance", async () => {
    const wallet = (await simulatedChain(database, "BTC")).wallet();
    const { handle } = await sign(wallet, btc(5n));
    const prepared = await wallet.prepare(btc(6n), handle);
    expect(await wallet.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "absent" });
  });
});

describe("a payment by nonces", () => {
  it("counts up over what is mined and what is reserved", async () => {
    const chain = await simulatedChain(database, "XRP");
    const wallet = chain.wallet();
    const first = await wallet.chooseHandle(xrp(1n * MILLION), []);
    const second = await wallet.chooseHandle(xrp(1n * MILLION), [first]);
    expect([first, second].map((handle) => handle.data["nonce"])).toEqual([0, 1]);
    await send(wallet, xrp(1n * MILLION));
    expect((await wallet.chooseHandle(xrp(1n * MILLION), [])).data["nonce"]).toBe(0);
    await chain.controls.mine(1);
    expect((await wallet.chooseHandle(xrp(1n * MILLION), [])).data["nonce"]).toBe(1);
  });

  it("to an account that does not exist brings its reserve, or is refused before it is signed and by the chain", async () => {
    const chain = await simulatedChain(database, "XRP");
    const wallet = chain.wallet();
    const refused = { name: "PaymentRefusedError", reason: "under_reserve" };
    await expect(wallet.chooseHandle(xrp(MILLION - 1n), [])).rejects.toMatchObject(refused);
    const handle = await wallet.chooseHandle(xrp(MILLION), []);
    expect(await wallet.broadcast(await wallet.prepare(xrp(MILLION - 1n), handle))).toMatchObject({ kind: "unknown" });
    await send(wallet, xrp(MILLION));
    await chain.controls.mine(1);
    await send(wallet, xrp(1n));
    await chain.controls.mine(1);
    expect(await held(chain, OUTSIDE.XRP, "xrp")).toBe(MILLION + 1n);
  });

  it("waits for the nonce before it", async () => {
    const chain = await simulatedChain(database, "XRP");
    const wallet = chain.wallet();
    const first = await sign(wallet, xrp(1n * MILLION));
    const second = await sign(wallet, xrp(2n * MILLION, "9"), [first.handle]);
    await wallet.broadcast(second.prepared);
    await chain.controls.mine(2);
    expect(await wallet.lookup(second.prepared.txId)).toEqual({ kind: "pending" });
    await wallet.broadcast(first.prepared);
    await chain.controls.mine(1);
    expect(await wallet.lookup(second.prepared.txId)).toMatchObject({ kind: "mined" });
    expect(await held(chain, OUTSIDE.XRP, "xrp")).toBe(3n * MILLION);
    expect(await wallet.hotBalance("xrp")).toBe(1_000_000_000n - 3n * MILLION - 2n * XRP_FEE);
  });

  it("is the only one with its nonce", async () => {
    const chain = await simulatedChain(database, "XRP");
    const wallet = chain.wallet();
    const { handle, prepared } = await sign(wallet, xrp(1n * MILLION));
    const rival = await wallet.prepare(xrp(2n * MILLION), handle);
    const results = await Promise.all([prepared, rival].map((one) => wallet.broadcast(one)));
    expect(results.map(({ kind }) => kind).sort()).toEqual(["accepted", "unknown"]);
    await chain.controls.mine(1);
    expect((await wallet.broadcast(rival)).kind).toBe(results[1]?.kind);
  });

  it("can't send more than there is, also together with what waits", async () => {
    const chain = await simulatedChain(database, "TRX", ["trx", "usdt-trc20"]);
    const wallet = chain.wallet();
    const all = { slug: "usdt-trc20", toAddress: OUTSIDE.TRX, toMemo: null, amount: 1_000_000_000n };
    const first = await sign(wallet, all);
    const second = await sign(wallet, { ...all, amount: 1n }, [first.handle]);
    expect((await wallet.broadcast(first.prepared)).kind).toBe("accepted");
    expect(await wallet.broadcast(second.prepared)).toMatchObject({
      reason: expect.stringContaining("does not have 1 of usdt-trc20"),
    });
    await chain.controls.mine(1);
    expect(await wallet.lookup(first.prepared.txId)).toMatchObject({ feePaid: 13_000_000n });
    expect(await wallet.hotBalance("usdt-trc20")).toBe(0n);
    expect(await wallet.hotBalance("trx")).toBe(1_000_000_000n - 13_000_000n);
  });
});

describe("signed bytes", () => {
  it("are refused when anybody changed them, and on another chain", async () => {
    const chain = await simulatedChain(database, "XRP");
    const wallet = chain.wallet();
    const { prepared } = await sign(wallet, xrp(1n * MILLION));
    const changed = { ...prepared, raw: prepared.raw.replace(OUTSIDE.XRP, chain.hotAddress) };
    const renamed = { ...prepared, txId: "A".repeat(64) };
    const outputs = [{ address: OUTSIDE.XRP, memo: null, slug: "xrp", amount: 1n * MILLION }];
    const body = { network: "XRP", sender: chain.hotAddress, spends: { nonce: 0 }, outputs, fee: XRP_FEE };
    const forged = signTransaction("another seed", body);
    for (const bad of [changed, renamed, forged, { ...prepared, raw: "junk" }, { ...prepared, raw: "{}" }])
      expect(await wallet.broadcast(bad)).toMatchObject({ kind: "unknown" });
    const other = await simulatedChain(database, "BTC");
    expect(await other.wallet().broadcast(prepared)).toMatchObject({ kind: "unknown" });
    await chain.controls.mine(1);
    expect(await held(chain, OUTSIDE.XRP, "xrp")).toBe(0n);
  });
});

describe.each([
  ["BTC", btc, "btc"],
  ["XRP", (amount: bigint) => xrp(amount), "xrp"],
] as const)("a reorganisation of %s", (network, payment, slug) => {
  const address = OUTSIDE[network];

  it("replaces the hashes and requeues transactions, with every balance", async () => {
    const chain = await simulatedChain(database, network);
    const wallet = chain.wallet();
    const balance = await wallet.hotBalance(slug);
    await chain.controls.mine(2);
    const common = await chain.node.head();
    const { txId } = await send(wallet, payment(5n * MILLION));
    await chain.controls.mine(3);
    const before = await chain.node.head();
    await chain.controls.reorg(3);
    const after = await chain.node.head();
    expect([after.height, after.hash === before.hash]).toEqual([before.height, false]);
    expect(await chain.node.blockAt(common.height)).toMatchObject(common);
    expect(await chain.node.blockAt(common.height + 1)).toMatchObject({ parentHash: common.hash, transfers: [] });
    expect(await wallet.lookup(txId)).toEqual({ kind: "pending" });
    expect([await wallet.hotBalance(slug), await held(chain, address, slug)]).toEqual([balance, 0n]);
    await chain.controls.mine(1);
    expect(await wallet.lookup(txId)).toMatchObject({ kind: "mined", height: before.height + 1 });
    expect(await held(chain, address, slug)).toBe(5n * MILLION);
  });

  it("can drop transactions and their descendants, and the same bytes are accepted again", async () => {
    const chain = await simulatedChain(database, network);
    const wallet = chain.wallet();
    const balance = await wallet.hotBalance(slug);
    const all = await sign(wallet, payment(balance - 10n * MILLION));
    await wallet.broadcast(all.prepared);
    await chain.controls.mine(1);
    const second = await send(wallet, payment(2n * MILLION));
    await chain.controls.mine(1);
    await chain.controls.reorg(2, "dropped");
    for (const { txId } of [all.prepared, second]) expect(await wallet.lookup(txId)).toEqual({ kind: "absent" });
    expect(await wallet.hotBalance(slug)).toBe(balance);
    expect((await wallet.broadcast(second)).kind).toBe(network === "BTC" ? "unknown" : "accepted");
    expect((await wallet.broadcast(all.prepared)).kind).toBe("accepted");
    await chain.controls.mine(1);
    await wallet.broadcast(second);
    await chain.controls.mine(1);
    expect(await held(chain, address, slug)).toBe(balance - 8n * MILLION);
  });

  it("on top of another has hashes that never existed before", async () => {
    const chain = await simulatedChain(database, network);
    const seen = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      await chain.controls.reorg(3 - (round % 2));
      seen.add((await chain.node.head()).hash);
    }
    expect(seen.size).toBe(4);
    await expect(chain.controls.reorg(5_000)).rejects.toThrow("has only");
  });

  it("drops a waiting transaction and its descendants", async () => {
    const chain = await simulatedChain(database, network);
    const wallet = chain.wallet();
    const balance = await wallet.hotBalance(slug);
    const all = await sign(wallet, payment(balance - 10n * MILLION));
    await wallet.broadcast(all.prepared);
    await chain.controls.mine(1);
    const second = await send(wallet, payment(2n * MILLION));
    await chain.controls.reorg(1);
    expect(await wallet.lookup(second.txId)).toEqual({ kind: "pending" });
    expect(await chain.controls.evict(all.prepared.txId)).toBe(true);
    expect(await chain.controls.evict(all.prepared.txId)).toBe(false);
    expect(await wallet.lookup(second.txId)).toEqual({ kind: network === "BTC" ? "absent" : "pending" });
    await chain.controls.mine(2);
    expect(await held(chain, address, slug)).toBe(0n);
  });
});

describe("a node with faults", () => {
  it("loses a broadcast's request or only its response", async () => {
    const chain = await simulatedChain(database, "XRP");
    const faults = noFaults();
    const wallet = chain.wallet(faultyNode(chain.node, faults));
    const { prepared } = await sign(wallet, xrp(1n * MILLION));
    faults.broadcasts = ["lost-request", "lost-reply"];
    expect(await wallet.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "absent" });
    expect(await wallet.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "pending" });
  });

  it("lags, serves stale heads, fabricates blocks, hides transactions and stops answering", async () => {
    const chain = await simulatedChain(database, "BTC");
    await chain.controls.mine(5);
    const { txId } = await chain.controls.pay({ address: OUTSIDE.BTC, memo: null, slug: "btc", amount: 1n });
    await chain.controls.mine(1);
    const { height, hash } = await chain.node.head();
    const faults = noFaults();
    const node = faultyNode(chain.node, faults);
    expect(await node.head()).toEqual(await chain.node.head());

    faults.lag = 2;
    expect((await node.head()).height).toBe(height - 2);
    expect(await node.blockAt(height)).toBeNull();
    faults.lag = 0;
    faults.staleHeads = [3];
    expect([(await node.head()).height, (await node.head()).height]).toEqual([height - 3, height]);
    faults.fabricatedBlocks = 4;
    expect(await node.head()).toMatchObject({ height: height + 4, parentHash: hash });
    expect(await node.blockAt(height + 4)).toBeNull();
    faults.fabricatedBlocks = 0;
    faults.hiddenTransactions.add(txId);
    expect(await node.lookup(txId)).toEqual({ kind: "absent" });
    expect((await node.blockAt(height))?.transfers).toEqual([]);
    faults.isDown = true;
    await expect(node.head()).rejects.toThrow("does not answer");
    expect(await chain.node.lookup(txId)).toMatchObject({ kind: "mined" });
  });
});
