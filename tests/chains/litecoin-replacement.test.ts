import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { formatAmount } from "#contract/money.ts";
import { PaymentRefusedError, type Handle, type NetworkWallet, type Payment } from "../../server/chains/port.ts";
import type { BitcoinDevnet } from "../../server/devnet/bitcoin/controls.ts";
import { BusyLitecoin } from "./support/busy-litecoin.ts";
import { anything, heldAt, text, type LitecoinSetup } from "./support/litecoin.ts";

const COIN = 10n ** 8n;
/** What a byte costs while the node has no estimate, and what it costs once the network is busy. */
const CALM = 10n;
const BUSY = 50n;
const START_LIMIT_MS = 400_000;

let busy: BusyLitecoin;
let setup: LitecoinSetup;
let devnet: BitcoinDevnet;
let wallet: NetworkWallet;

const connect = async (options: Parameters<BusyLitecoin["restart"]>[0], feePerByte: bigint | null = null) => {
  await busy.restart(options);
  devnet = busy.devnet;
  wallet = busy.wallet(feePerByte);
};

const newPayment = async (amount = COIN): Promise<Payment> => ({
  slug: "ltc",
  toAddress: await busy.newAddress(),
  toMemo: null,
  amount,
});
const sent = async (payment: Payment, reserved: Handle[] = []) => {
  const handle = await wallet.chooseHandle(payment, reserved);
  const prepared = await wallet.prepare(payment, handle);
  expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
  return { handle, prepared };
};
const replace = async (...given: Parameters<NonNullable<NetworkWallet["prepareReplacement"]>>) => {
  const replacement = await wallet.prepareReplacement?.(...given);
  if (!replacement) throw new Error("there is nothing to gain");
  return replacement;
};
const inputsSchema = z.object({ vin: z.array(z.object({ txid: text, vout: z.int() })) });
const inputsOf = async (raw: string) =>
  (await setup.ask("decoderawtransaction", [raw], inputsSchema)).vin.map(({ txid, vout }) => `${txid}:${vout}`);
beforeAll(async () => {
  busy = await BusyLitecoin.start();
  ({ setup, devnet } = busy);
  wallet = busy.wallet();
}, START_LIMIT_MS);
afterEach(() => busy.line.behave());
afterAll(() => busy?.end());

describe("a payment that blocks leave out", () => {
  it("is replaced over the same inputs once fees have risen, and arrives once", async () => {
    const payment = await newPayment();
    const before = await wallet.hotBalance("ltc");
    const { handle, prepared } = await sent(payment);
    await devnet.mine(1);
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "pending" });
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared], [])).toBeNull();

    busy.raiseFees(BUSY);
    const replacement = await replace(payment, handle, [prepared], []);
    expect(await inputsOf(replacement.raw)).toEqual(await inputsOf(prepared.raw));
    expect(replacement.maxCost).toBeGreaterThanOrEqual((wallet.maxCost(handle) / CALM) * BUSY);
    expect(await busy.isWaiting(prepared.txId)).toBe(true);

    expect(await wallet.broadcast(replacement)).toEqual({ kind: "accepted" });
    expect([await busy.isWaiting(prepared.txId), await busy.isWaiting(replacement.txId)]).toEqual([false, true]);
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - replacement.maxCost);
    expect(await wallet.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    await devnet.mine(1);
    expect(await wallet.lookup(replacement.txId)).toMatchObject({ kind: "mined", feePaid: replacement.maxCost });
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "replaced", byTxId: replacement.txId });
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - replacement.maxCost);
    expect(await heldAt(setup, payment.toAddress)).toEqual(["1.00000000"]);
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared, replacement], [])).toBeNull();
  });

  it("is replaced again and again while fees go on rising, each time for more than all before", async () => {
    const payment = await newPayment();
    const { handle, prepared } = await sent(payment);
    busy.raiseFees(20n);
    const second = await replace(payment, handle, [prepared], []);
    expect(await wallet.broadcast(second)).toEqual({ kind: "accepted" });
    await devnet.mine(1);
    busy.raiseFees(BUSY);
    const third = await replace(payment, handle, [prepared, second], []);
    expect(third.maxCost).toBeGreaterThan(second.maxCost);
    expect(await wallet.broadcast(third)).toEqual({ kind: "accepted" });
    await devnet.mine(1);
    expect(await wallet.lookup(third.txId)).toMatchObject({ kind: "mined" });
    expect(await heldAt(setup, payment.toAddress)).toEqual(["1.00000000"]);
  });

  it("may be mined after its replacement was signed, and a reorganisation may swap the two", async () => {
    const payment = await newPayment();
    const before = await wallet.hotBalance("ltc");
    const { handle, prepared } = await sent(payment);
    busy.raiseFees(BUSY);
    const replacement = await replace(payment, handle, [prepared], []);
    expect(await wallet.prepareChild?.([prepared], [], [])).not.toBeNull();
    expect(await wallet.prepareChild?.([prepared, replacement], [], [])).toBeNull();
    await busy.mineThese([prepared.txId]);
    expect(await wallet.broadcast(replacement)).toMatchObject({ kind: "unknown" });
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "mined", feePaid: wallet.maxCost(handle) });
    expect((await wallet.lookup(replacement.txId)).kind).toMatch(/absent|replaced/);
    expect(await heldAt(setup, payment.toAddress)).toEqual(["1.00000000"]);

    await setup.ask("invalidateblock", [await setup.ask("getbestblockhash", [], text)], anything);
    expect(await wallet.broadcast(replacement)).toEqual({ kind: "accepted" });
    await devnet.mine(2);
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "replaced", byTxId: replacement.txId });
    expect(await wallet.lookup(replacement.txId)).toMatchObject({ kind: "mined", feePaid: replacement.maxCost });
    expect(await heldAt(setup, payment.toAddress)).toEqual(["1.00000000"]);
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - replacement.maxCost);
  });

  it("is not replaced where a payment of ours spends its change, sent or not", async () => {
    const payment = await newPayment();
    const { handle, prepared } = await sent(payment);
    busy.raiseFees(BUSY);
    const other = { keys: [`${prepared.txId}:1`], data: {} };
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared], [other])).toBeNull();
    const [change = "0"] = handle.data["change"] as string[];
    const data = {
      from: handle.data["from"],
      inputs: [{ txId: prepared.txId, vout: 1, amount: change }],
      change: [`${BigInt(change) - COIN - 5_000n}`],
      fee: "5000",
    };
    const behind = await wallet.prepare(await newPayment(), { keys: other.keys, data });
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared], [])).not.toBeNull();
    expect(await wallet.broadcast(behind)).toEqual({ kind: "accepted" });
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared], [])).toBeNull();
    await busy.mineThese([prepared.txId, behind.txId]);
  });

  it("is not replaced for whatever its recipient has spent of it: nobody else chooses what we pay", async () => {
    const payment = await newPayment();
    const { handle, prepared } = await sent(payment);
    busy.raiseFees(BUSY);
    const inputs = [{ txid: prepared.txId, vout: 0 }];
    const pinned = { [await busy.newAddress()]: formatAmount(COIN - 30_000n, 8) };
    const raw = await setup.receiver("createrawtransaction", [inputs, pinned], text);
    const { hex } = await setup.receiver("signrawtransactionwithwallet", [raw], z.object({ hex: text }));
    const pinnedBy = await setup.ask("sendrawtransaction", [hex], text);
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared], [])).toBeNull();
    await busy.mineThese([prepared.txId, pinnedBy]);
  });

  it("of other inputs than the reserved ones is never replaced", async () => {
    const payment = await newPayment();
    const { handle, prepared } = await sent(payment);
    const { handle: another } = await sent(await newPayment(), [handle]);
    busy.raiseFees(BUSY);
    await expect(wallet.prepareReplacement?.(payment, another, [prepared], [])).rejects.toThrow("has reserved");
  });

  it("is put in review instead of being replaced for more than the cap", async () => {
    await connect("busy", BUSY - 1n);
    const payment = await newPayment();
    const { handle, prepared } = await sent(payment);
    busy.raiseFees(BUSY);
    await expect(wallet.prepareReplacement?.(payment, handle, [prepared], [])).rejects.toBeInstanceOf(
      PaymentRefusedError,
    );
    await connect("busy");
  });
});

describe("a payment that its node has dropped because fees have risen", () => {
  it("is replaced at what the node now asks for, and its coins were never missing", async () => {
    const payment = await newPayment();
    const before = await wallet.hotBalance("ltc");
    const { handle, prepared } = await sent(payment);
    const cost = wallet.maxCost(handle);
    await connect(["-minrelaytxfee=0.0005"]);
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "absent" });
    expect(await wallet.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - cost);

    const replacement = await replace(payment, handle, [prepared], []);
    expect(await wallet.broadcast(replacement)).toEqual({ kind: "accepted" });
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - replacement.maxCost);
    // The customer's wallet, which mines otherwise, can't pay so much.
    await setup.ask("generatetoaddress", [1, await busy.newAddress()], anything);
    expect(await wallet.lookup(replacement.txId)).toMatchObject({ kind: "mined" });
    expect(await heldAt(setup, payment.toAddress)).toEqual(["1.00000000"]);
  });
});

describe("a node that replaces nothing, as Litecoin's do by default", () => {
  const pay = async (...given: Parameters<NonNullable<NetworkWallet["prepareChild"]>>) => {
    const child = await wallet.prepareChild?.(...given);
    if (!child) throw new Error("nothing can be spent");
    return child;
  };

  it("takes a payment to ourselves that spends the change and pays for both", async () => {
    await connect("replaces nothing");
    const payment = await newPayment();
    const before = await wallet.hotBalance("ltc");
    const { handle, prepared } = await sent(payment);
    expect(await wallet.prepareChild?.([prepared], [], [])).toBeNull();
    busy.raiseFees(BUSY);
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared], [])).toBeNull();

    const child = await pay([prepared], [], []);
    expect(child).toMatchObject({ paysFor: prepared.txId, keys: await inputsOf(child.raw) });
    expect(child.keys).toHaveLength(1);
    expect(await wallet.lookup(child.txId)).toEqual({ kind: "absent" });
    expect(await wallet.broadcast(child)).toEqual({ kind: "accepted" });
    const costs = wallet.maxCost(handle) + child.maxCost;
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - costs);
    await devnet.mine(1);
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "mined", feePaid: wallet.maxCost(handle) });
    expect(await wallet.lookup(child.txId)).toMatchObject({ kind: "mined", feePaid: child.maxCost });
    expect(await wallet.hotBalance("ltc")).toBe(before - payment.amount - costs);
    expect(await heldAt(setup, payment.toAddress)).toEqual(["1.00000000"]);
    expect(await wallet.prepareChild?.([prepared], [child], [])).toBeNull();
  });

  it("takes a further one for the first once fees have risen again, and never what another payment has reserved", async () => {
    const payment = await newPayment();
    const { prepared } = await sent(payment);
    busy.raiseFees(20n);
    const reserved = { keys: [`${prepared.txId}:1`, `${prepared.txId}:2`], data: {} };
    expect(await wallet.prepareChild?.([prepared], [], [reserved])).toBeNull();
    const first = await pay([prepared], [], []);
    await wallet.broadcast(first);
    await devnet.mine(1);
    expect(await wallet.lookup(prepared.txId)).toEqual({ kind: "pending" });
    busy.raiseFees(BUSY);
    const second = await pay([prepared], [first], []);
    expect(second).toMatchObject({ keys: [`${first.txId}:0`], paysFor: prepared.txId });
    expect(await wallet.broadcast(second)).toEqual({ kind: "accepted" });
    await devnet.mine(1);
    for (const { txId } of [prepared, first, second])
      expect(await wallet.lookup(txId)).toMatchObject({ kind: "mined" });
    expect(await heldAt(setup, payment.toAddress)).toEqual(["1.00000000"]);
  });

  it("is not asked to take one above the cap", async () => {
    await connect("replaces nothing", BUSY - 1n);
    const { prepared } = await sent(await newPayment());
    busy.raiseFees(BUSY);
    await expect(wallet.prepareChild?.([prepared], [], [])).rejects.toBeInstanceOf(PaymentRefusedError);
  });
});
