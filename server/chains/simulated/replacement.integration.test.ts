import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { simulatedChain } from "../../../tests/support/chains/simulated-chain.ts";
import type { Handle, NetworkWallet, Payment, PreparedPayment } from "../port.ts";

const PAYMENTS: [string, Payment][] = [
  ["BTC", { slug: "btc", toAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", toMemo: null, amount: 10_000_000n }],
  ["XRP", { slug: "xrp", toAddress: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", toMemo: null, amount: 1_000_000n }],
];

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty("sandbox_networks"));

async function sign(wallet: NetworkWallet, payment: Payment, reserved: readonly Handle[] = []) {
  const handle = await wallet.chooseHandle(payment, reserved);
  return { handle, prepared: await wallet.prepare(payment, handle) };
}

describe.each(PAYMENTS)("a payment on a simulated %s whose fees have risen", (network, payment) => {
  const kindsOf = async (wallet: NetworkWallet, payments: readonly PreparedPayment[]) => {
    const found = await Promise.all(payments.map(({ txId }) => wallet.lookup(txId)));
    return found.map(({ kind }) => kind);
  };

  it("hangs until it is replaced, and one of the two is mined", async () => {
    const chain = await simulatedChain(database, network, [payment.slug], () => 0);
    const wallet = chain.wallet();
    const { handle, prepared } = await sign(wallet, payment);
    await wallet.broadcast(prepared);
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared], [])).toBeNull();
    await chain.controls.setFees(400);
    await chain.controls.mine(3);
    expect(await kindsOf(wallet, [prepared])).toEqual(["pending"]);
    const replacement = await wallet.prepareReplacement?.(payment, handle, [prepared], []);
    if (replacement == null) throw new Error("it is not replaced");
    expect(replacement.maxCost).toBe(4n * wallet.maxCost(handle));
    expect(await wallet.broadcast(replacement)).toEqual({ kind: "accepted" });
    expect(await wallet.broadcast(prepared)).toMatchObject({ kind: "unknown" });
    await chain.controls.mine(1);
    expect(await kindsOf(wallet, [prepared, replacement])).toEqual(["absent", "mined"]);
    expect(await wallet.lookup(replacement.txId)).toMatchObject({ feePaid: replacement.maxCost });
    expect(await chain.node.balance(payment.toAddress, payment.slug)).toBe(payment.amount);
    expect(await wallet.prepareReplacement?.(payment, handle, [prepared, replacement], [])).toBeNull();
  });

  it("is signed for the fees of today where they have risen before", async () => {
    const chain = await simulatedChain(database, network, [payment.slug], () => 0);
    const [usual, wallet] = [await chain.reader().estimateFee(payment.slug), chain.wallet()];
    await chain.controls.setFees(250);
    expect(await chain.reader().estimateFee(payment.slug)).toBe((usual * 5n) / 2n);
    const { prepared } = await sign(wallet, payment);
    await wallet.broadcast(prepared);
    await chain.controls.mine(1);
    expect(await kindsOf(wallet, [prepared])).toEqual(["mined"]);
  });
});

it("a payment behind a stuck one waits with it, and is not replaced for its sake", async () => {
  const [, [, payment] = []] = PAYMENTS;
  if (payment === undefined) throw new Error("a payment of XRP");
  const chain = await simulatedChain(database, "XRP", ["xrp"], () => 0);
  const wallet = chain.wallet();
  const first = await sign(wallet, payment);
  await chain.controls.setFees(300);
  const behind = await sign(wallet, payment, [first.handle]);
  for (const { prepared } of [first, behind]) await wallet.broadcast(prepared);
  await chain.controls.setFees(900);
  await chain.controls.mine(2);
  expect(await wallet.prepareReplacement?.(payment, behind.handle, [behind.prepared], [])).toBeNull();
  const replacement = await wallet.prepareReplacement?.(payment, first.handle, [first.prepared], []);
  if (replacement == null) throw new Error("it is not replaced");
  await wallet.broadcast(replacement);
  await chain.controls.mine(1);
  expect((await wallet.lookup(replacement.txId)).kind).toBe("mined");
  expect((await wallet.lookup(behind.prepared.txId)).kind).toBe("pending");
  expect(await wallet.prepareReplacement?.(payment, behind.handle, [behind.prepared], [])).not.toBeNull();
});
