import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { formatAmount } from "#contract/money.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { chainOf } from "../../server/chains/bitcoin/chain-params.ts";
import { depositXpub } from "../../server/chains/bitcoin/keys.ts";
import { createBitcoinNetwork, createBitcoinWallet } from "../../server/chains/bitcoin/network.ts";
import type { BitcoinReader } from "../../server/chains/bitcoin/reader.ts";
import { bitcoinDevnet, MINED_BLOCKS, type BitcoinDevnet } from "../../server/devnet/bitcoin/controls.ts";
import type { Handle, NetworkWallet, Payment } from "../../server/chains/port.ts";
import { anything, heldAt, MNEMONIC, startLitecoinSetup, text, type LitecoinSetup } from "./support/litecoin.ts";

const COIN = 10n ** 8n;
const OTHER_MNEMONIC = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

let setup: LitecoinSetup;
let devnet: BitcoinDevnet;
let reader: BitcoinReader;
let wallet: NetworkWallet;
let index = 0n;

const options = (networkTitle = "LTC") =>
  ({ networkTitle, kind: "regtest", rpcUrl: setup.node.rpcUrl, timeoutMs: 30_000 }) as const;
const nextPayment = (amount = COIN): Payment => ({
  slug: "ltc",
  toAddress: reader.depositAddress((index += 1n)).address,
  toMemo: null,
  amount,
});
const sign = async (payment: Payment, reserved: Handle[] = []) => {
  const handle = await wallet.chooseHandle(payment, reserved);
  return { handle, prepared: await wallet.prepare(payment, handle) };
};
const newestTransfers = async () => (await reader.blockAt((await reader.head()).height))?.transfers ?? [];

beforeAll(async () => {
  setup = await startLitecoinSetup();
  const chain = chainOf("LTC", "regtest");
  reader = createBitcoinNetwork({ ...options(), xpub: depositXpub(chain, MNEMONIC) });
  wallet = createBitcoinWallet({ ...options(), mnemonic: MNEMONIC });
  devnet = bitcoinDevnet(options());
  await devnet.initialise(wallet.hotAddress());
});
afterAll(async () => setup.end());

describe("a new chain", () => {
  it("funds the treasury with a million dollars, and its extension block is active", async () => {
    expect(await devnet.height()).toBe(MINED_BLOCKS);
    expect(await wallet.hotBalance("ltc")).toBeGreaterThan(11_000n * COIN);
    const schema = z.object({
      tx: z.array(z.object({ vout: z.array(z.object({ scriptPubKey: z.object({ type: text }) })) })),
    });
    const newest = await setup.ask("getblock", [await setup.ask("getbestblockhash", [], text), 2], schema);
    expect(newest.tx.at(-1)?.vout[0]?.scriptPubKey.type).toBe("witness_mweb_hogaddr");
    // Only what the miner received: the extension block's own output belongs to no address.
    const paid = await newestTransfers();
    expect(paid).toHaveLength(1);
    expect(reader.parseAddress(paid[0]?.toAddress ?? "")).toMatchObject({ valid: true });
  });

  it("is refused by the driver of another coin", async () => {
    const astray = createBitcoinWallet({ ...options("BTC"), mnemonic: MNEMONIC });
    await expect(astray.lookup("0".repeat(64))).rejects.toThrow("not of BTC");
    const { prepared } = await sign(nextPayment());
    expect(await astray.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "absent" });
  });
});

describe("deposits", () => {
  it("are observed in their block by address, output and amount, whatever form the address has", async () => {
    const own = reader.depositAddress((index += 1n)).address;
    const legacy = await setup.customer("getnewaddress", ["", "legacy"], text);
    const wrapped = await setup.customer("getnewaddress", ["", "p2sh-segwit"], text);
    const amounts = { [own]: "1.23456789", [legacy]: "0.1", [wrapped]: "0.3" };
    const txId = await setup.customer("sendmany", ["", amounts], text);
    await devnet.mine(1);
    const seen = (await newestTransfers()).filter((one) => one.txId === txId);
    for (const [address, amount] of Object.entries(amounts)) {
      expect(reader.parseAddress(address)).toEqual({ valid: true, canonical: address });
      const found = seen.filter(({ toAddress }) => toAddress === address);
      expect(found.map((one) => formatAmount(one.amount, 8))).toEqual([amount]);
    }
    expect(new Set(seen.map(({ outputIndex }) => outputIndex)).size).toBe(seen.length);
  });

  it("that leave the extension block count like any other", async () => {
    const hidden = <Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>) =>
      setup.ask(method, params, answer, { wallet: "hidden" });
    await setup.ask("createwallet", ["hidden"], anything);
    await setup.customer("sendtoaddress", [await hidden("getnewaddress", ["", "mweb"], text), "5"], text);
    await devnet.mine(1);
    const own = reader.depositAddress((index += 1n)).address;
    // All that this wallet holds lies inside: paying anyone outside takes it out again, as an output of the block's last transaction.
    await hidden("sendtoaddress", [own, "4.5"], text);
    await devnet.mine(1);
    const seen = (await newestTransfers()).filter(({ toAddress }) => toAddress === own);
    expect(seen.map(({ amount }) => formatAmount(amount, 8))).toEqual(["4.5"]);
  });

  it("are none above the newest block", async () => {
    const { height, minedAt } = await reader.head();
    expect(await reader.blockAt(height + 1)).toBeNull();
    expect(Math.abs((minedAt ?? 0) - Date.now())).toBeLessThan(600_000);
  });
});

describe("the mempool", () => {
  /** The node tells its wallets of a payment a moment after it has taken it. */
  const PATIENT = { timeout: 20_000 };
  const lastIndex = async () => index;
  const waiting = async (address: string) =>
    (await reader.mempool?.(lastIndex))?.filter(({ toAddress }) => toAddress === address) ?? [];
  const pay = async () => {
    const address = reader.depositAddress((index += 1n)).address;
    await waiting(address);
    const txId = await setup.customer("sendtoaddress", [address, "0.5", "", "", false, true], text);
    return { address, txId };
  };

  it("shows a payment before any block, and the block shows it under the same key", async () => {
    const { address, txId } = await pay();
    await expect.poll(() => waiting(address), PATIENT).not.toEqual([]);
    const seen = await waiting(address);
    expect(seen).toEqual([
      { txId, outputIndex: expect.any(Number), toAddress: address, slug: "ltc", amount: COIN / 2n },
    ]);
    await devnet.mine(1);
    await expect.poll(() => waiting(address), PATIENT).toEqual([]);
    expect((await newestTransfers()).filter(({ toAddress }) => toAddress === address)).toEqual(seen);
  });

  it("shows a payment again after a reorganisation until it is mined again", async () => {
    const { address, txId } = await pay();
    await devnet.mine(1);
    await setup.ask("invalidateblock", [(await reader.head()).hash], anything);
    await expect.poll(() => waiting(address), PATIENT).toMatchObject([{ txId }]);
    await devnet.mine(1);
    await expect.poll(() => waiting(address), PATIENT).toEqual([]);
  });

  it("shows the replacement alone once a payment was replaced", async () => {
    const { address, txId } = await pay();
    const bumped = await setup.customer("bumpfee", [txId], z.object({ txid: text }));
    expect(bumped.txid).not.toBe(txId);
    await expect.poll(() => waiting(address), PATIENT).toMatchObject([{ txId: bumped.txid, amount: COIN / 2n }]);
    await devnet.mine(1);
    expect((await newestTransfers()).filter(({ toAddress }) => toAddress === address)).toMatchObject([
      { txId: bumped.txid },
    ]);
  });

  it("shows nothing of a payment that another spend of its coins has replaced by one to somebody else", async () => {
    const { address, txId } = await pay();
    const inputs = z.object({ vin: z.array(z.object({ txid: text, vout: z.int() })) });
    const { vin } = await setup.ask("getrawtransaction", [txId, true], inputs);
    const elsewhere = await setup.customer("getnewaddress", [], text);
    const { vout } = await setup.ask(
      "getrawtransaction",
      [txId, true],
      z.object({ vout: z.array(z.object({ value: text })) }),
    );
    const total = vout.reduce((sum, { value }) => sum + Number(value), 0);
    const raw = await setup.customer(
      "createrawtransaction",
      [vin.map((one) => ({ ...one, sequence: 0 })), { [elsewhere]: (total - 0.01).toFixed(8) }],
      text,
    );
    const { hex } = await setup.customer("signrawtransactionwithwallet", [raw], z.object({ hex: text }));
    await setup.ask("sendrawtransaction", [hex], text);
    await expect.poll(() => waiting(address), PATIENT).toEqual([]);
    await devnet.mine(1);
    expect((await newestTransfers()).filter(({ toAddress }) => toAddress === address)).toEqual([]);
  });

  it("is read again after the node has closed its wallet, and for addresses far beyond the last one", async () => {
    const names = await setup.ask("listwallets", [], z.array(text));
    const wallet = names.find((name) => name.startsWith("wherry-deposits-"));
    await setup.ask("unloadwallet", [wallet], anything);
    index += 1_000n;
    const { address, txId } = await pay();
    await expect.poll(() => waiting(address), PATIENT).toMatchObject([{ txId }]);
    const fresh = createBitcoinNetwork({ ...options(), xpub: depositXpub(chainOf("LTC", "regtest"), MNEMONIC) });
    expect((await fresh.mempool?.(lastIndex))?.map((one) => one.txId)).toContain(txId);
    await devnet.mine(1);
  });
});

describe("a payment", () => {
  it("is signed without being sent, arrives once however often it is sent, and is reported as mined", async () => {
    const payment = nextPayment(1_234_567n);
    const before = await wallet.hotBalance("ltc");
    const { handle, prepared } = await sign(payment);
    expect(await wallet.prepare(payment, handle)).toEqual(prepared);
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "absent" });

    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "pending" });
    await devnet.mine(1);
    const found = await wallet.lookup(prepared.txId);
    const { height, hash } = await reader.head();
    if (found.kind !== "mined") throw new Error("it is not mined");
    expect(found).toMatchObject({ height, hash, succeeded: true });
    expect(before - (await wallet.hotBalance("ltc"))).toBe(payment.amount + found.feePaid);
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    expect(await heldAt(setup, payment.toAddress)).toEqual(["0.01234567"]);
  });

  it("counts its change before it is mined, so that it never looks like a loss", async () => {
    const payment = nextPayment();
    const before = await wallet.hotBalance("ltc");
    const { handle, prepared } = await sign(payment);
    await wallet.broadcast(prepared);
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - BigInt(String(handle.data["fee"])));
    const foreign = await devnet.pay({ address: wallet.hotAddress(), amount: COIN });
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - BigInt(String(handle.data["fee"])));
    expect(foreign).toMatch(/^[0-9a-f]{64}$/);
    await devnet.mine(1);
  });

  it("that is mined and whose outputs are spent is still accepted", async () => {
    const toAddress = await setup.customer("getnewaddress", [], text);
    // Without change: the customer spends all that it pays.
    const coin = await wallet.chooseHandle({ ...nextPayment(), toAddress }, []);
    const [input] = coin.data["inputs"] as { amount: string }[];
    const fee = 2_000n;
    const amount = BigInt(input?.amount ?? "0") - fee;
    const handle = { keys: coin.keys.slice(0, 1), data: { ...coin.data, inputs: [input], change: [], fee: `${fee}` } };
    const prepared = await wallet.prepare({ slug: "ltc", toAddress, toMemo: null, amount }, handle);
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    await devnet.mine(1);
    const inputs = [{ txid: prepared.txId, vout: 0 }];
    const change = await setup.customer("getnewaddress", [], text);
    const raw = await setup.customer(
      "createrawtransaction",
      [inputs, { [change]: formatAmount(amount - 10_000n, 8) }],
      text,
    );
    const { hex } = await setup.customer("signrawtransactionwithwallet", [raw], z.object({ hex: text }));
    await setup.ask("sendrawtransaction", [hex], text);
    await devnet.mine(1);
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
  });

  it("never spends what another has reserved", async () => {
    const payments = Array.from({ length: 6 }, () => nextPayment(40n * COIN));
    const handles: Handle[] = [];
    for (const payment of payments) handles.push(await wallet.chooseHandle(payment, handles));
    const keys = handles.flatMap((handle) => handle.keys);
    expect(new Set(keys).size).toBe(keys.length);
    for (const [at, payment] of payments.entries()) {
      const handle = handles[at];
      if (handle) expect(await wallet.broadcast(await wallet.prepare(payment, handle))).toEqual({ kind: "accepted" });
    }
    await devnet.mine(1);
    for (const { toAddress } of payments) expect(await heldAt(setup, toAddress)).toEqual(["40.00000000"]);
  });

  it("that another spend has replaced is reported as replaced, with the block that proves it, until that block goes", async () => {
    const { handle, prepared } = await sign(nextPayment());
    await wallet.broadcast(prepared);
    const other = nextPayment();
    const [change = "0"] = handle.data["change"] as string[];
    const rest = (handle.data["change"] as string[]).slice(1);
    const dearer = 100_000n;
    const data = {
      ...handle.data,
      change: [`${BigInt(change) - dearer}`, ...rest],
      fee: `${BigInt(String(handle.data["fee"])) + dearer}`,
    };
    const rival = await wallet.prepare(other, { keys: handle.keys, data });
    expect(await wallet.broadcast(rival)).toEqual({ kind: "accepted" });
    await devnet.mine(1);
    const { height, hash } = await reader.head();
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "replaced", byTxId: rival.txId, height, hash });
    expect(await wallet.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    await setup.ask("invalidateblock", [hash], anything);
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: expect.stringMatching(/absent|pending/) });
    await devnet.mine(1);
    expect(await wallet.lookup(rival.txId)).toMatchObject({ kind: "mined" });
  });

  it("is dead once another transaction has spent one of its coins, from that block on, and the other is not", async () => {
    const handle = await wallet.chooseHandle(nextPayment(), []);
    const [ours, other] = [await wallet.prepare(nextPayment(), handle), await wallet.prepare(nextPayment(), handle)];
    const before = await reader.head();
    expect(await wallet.deadAt?.(ours, before.height)).toBeNull();
    expect(await wallet.broadcast(other)).toEqual({ kind: "accepted" });
    expect(await wallet.deadAt?.(ours, before.height)).toBeNull();
    expect(await wallet.usesHandle?.(other.txId, handle)).toBe(false);

    await devnet.mine(1);
    const after = await reader.head();
    // The node has never seen the bytes: its wallet knows of no conflict, and they are refused for as long as they are sent.
    expect(await wallet.lookup(ours.txId)).toEqual({ kind: "absent" });
    expect(await wallet.broadcast(ours)).toMatchObject({ kind: "unknown" });
    expect(await wallet.deadAt?.(ours, before.height)).toBeNull();
    expect(await wallet.deadAt?.(ours, after.height)).toBe(after.hash);
    expect(await wallet.deadAt?.(ours, after.height + 1)).toBeNull();
    expect(await wallet.deadAt?.(other, after.height)).toBeNull();
    expect(await wallet.deadAt?.({ raw: "", txId: ours.txId }, after.height)).toBeNull();
    expect(await wallet.usesHandle?.(other.txId, handle)).toBe(true);
    expect(await wallet.usesHandle?.(other.txId, await wallet.chooseHandle(nextPayment(), []))).toBe(false);
  });

  it("to a dead node is unknown with a reason, and nothing is thrown", async () => {
    const { prepared } = await sign(nextPayment());
    const dead = createBitcoinWallet({
      ...options(),
      mnemonic: MNEMONIC,
      rpcUrl: `http://127.0.0.1:${await freePort()}`,
    });
    expect(await dead.broadcast(prepared)).toMatchObject({ kind: "unknown", reason: expect.stringMatching(/.+/) });
    await expect(dead.lookup(prepared.txId)).rejects.toThrow();
  });
});

describe("the node's wallet", () => {
  it("is opened again after the node has closed it", async () => {
    await setup.ask("unloadwallet", [`wherry-${wallet.hotAddress()}`], anything);
    expect(await wallet.hotBalance("ltc")).toBeGreaterThan(0n);
  });

  it("finds coins that came before it was made, and has no keys", async () => {
    const late = createBitcoinWallet({ ...options(), mnemonic: OTHER_MNEMONIC });
    await devnet.pay({ address: late.hotAddress(), amount: 7n * COIN });
    await devnet.mine(1);
    expect(await late.hotBalance("ltc")).toBe(7n * COIN);
    const wallets = { wallet: `wherry-${late.hotAddress()}` };
    const schema = z.object({ private_keys_enabled: z.boolean() });
    expect(await setup.ask("getwalletinfo", [], schema, wallets)).toEqual({ private_keys_enabled: false });
  });
});

describe("a reorganisation", () => {
  it("takes a payment's block away; the same bytes are mined again", async () => {
    const payment = nextPayment();
    const { prepared } = await sign(payment);
    await wallet.broadcast(prepared);
    await devnet.mine(1);
    const before = await wallet.lookup(prepared.txId);
    await devnet.reorg(1);
    const after = await wallet.lookup(prepared.txId);
    expect([before.kind, after.kind]).toEqual(["mined", "mined"]);
    expect(after).not.toEqual(before);
    expect(await heldAt(setup, payment.toAddress)).toEqual(["1.00000000"]);
  });
});
