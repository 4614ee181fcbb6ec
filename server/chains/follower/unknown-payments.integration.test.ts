import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import type { RecentPayment } from "../port.ts";
import { inTransaction } from "../../db/transaction.ts";
import { recordFirstHeight, recordUnknownPayments, storeRecentPayments } from "./unknown-payments.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

it("stores a payment once that several nodes show, one of them more of it", async () => {
  const pays = [{ to: "somebody", slug: "eth", amount: 5n }];
  const seen: RecentPayment[] = [
    { txId: "a", height: null },
    { txId: "a", height: null, pays, key: "hot:3" },
    { txId: null, height: null, key: "hot:3" },
    { txId: "b", height: null },
  ];
  const wallet = Object.assign(new FakeChain(), { recentPayments: async () => seen });
  expect(await storeRecentPayments(database, wallet, new Date())).toEqual({
    unknown: ["a", "b"],
    toOurselves: [],
    waiting: ["hot:3"],
  });
  const { rows } = await database.pool.query("select tx_id, pays from unknown_payments order by tx_id");
  expect(rows).toEqual([
    { tx_id: "a", pays: [{ to: "somebody", slug: "eth", amount: "5" }] },
    { tx_id: "b", pays: null },
  ]);
});

it("keeps what has left by a payment that hides whom it pays, once its wallet says so", async () => {
  await inTransaction(database, (transaction) => recordFirstHeight(transaction, "ETH", 1));
  const sent = { slug: "xmr", amount: 7n };
  const shown: RecentPayment[][] = [
    [
      { txId: "a", height: null },
      { txId: "b", height: 4, sent: { slug: "xmr", amount: 9n } },
      { txId: "b", height: null },
    ],
    [{ txId: "a", height: 5, sent }],
    [{ txId: "a", height: 5 }],
  ];
  const rows: unknown[] = [];
  for (const seen of shown) {
    const wallet = Object.assign(new FakeChain(), { recentPayments: async () => seen });
    await storeRecentPayments(database, wallet, new Date());
    const { rows: stored } = await database.pool.query(
      "select tx_id, height, pays, sent_slug, sent_amount::text from unknown_payments order by tx_id",
    );
    rows.push(stored);
  }
  const hidden = { pays: null, sent_slug: null, sent_amount: null };
  const b = { tx_id: "b", height: 4, pays: null, sent_slug: "xmr", sent_amount: "9" };
  const a = { tx_id: "a", height: 5, pays: null, sent_slug: "xmr", sent_amount: "7" };
  expect(rows).toEqual([
    [{ tx_id: "a", height: null, ...hidden }, b],
    [a, b],
    [a, b],
  ]);
});

describe("a payment to ourselves that waits in a mempool", () => {
  const decisions = async () => {
    const { rows } = await database.pool.query("select tx_id, decision, height from unknown_payments order by tx_id");
    return rows;
  };
  const show = (...seen: RecentPayment[]) =>
    storeRecentPayments(database, Object.assign(new FakeChain(), { recentPayments: async () => seen }), new Date());
  const mine = (txId: string, isToOurselves: boolean) =>
    inTransaction(database, (transaction) =>
      recordUnknownPayments(transaction, "ETH", [{ txId, height: 7, pays: [], isToOurselves }], new Date()),
    );

  beforeEach(() => inTransaction(database, (transaction) => recordFirstHeight(transaction, "ETH", 1)));

  it("is decided, and holds the network by its handle or its id until a block has it", async () => {
    const plain = { height: null, isToOurselves: true };
    expect(await show({ ...plain, txId: "a", key: "hot:3" }, { ...plain, txId: "b" })).toEqual({
      unknown: [],
      toOurselves: ["a", "b"],
      waiting: ["hot:3", "b"],
    });
    await mine("b", true);
    expect(await decisions()).toEqual([
      { tx_id: "a", decision: "to ourselves", height: null },
      { tx_id: "b", decision: "to ourselves", height: 7 },
    ]);
    expect(await show()).toEqual({ unknown: [], toOurselves: [], waiting: [] });
  });

  it("is replaceable where nothing else may be on its nonce, and no other payment waits", async () => {
    const plain = { height: null, isToOurselves: true, txId: "a", key: "hot:3", data: { nonce: 3 } };
    const handle = { keys: ["hot:3"], data: { nonce: 3 } };
    const replaceable = async (...seen: RecentPayment[]) => (await show(...seen)).replaceable;
    expect(await replaceable(plain, plain)).toEqual([handle, handle]);
    const payment = { txId: "b", height: null, key: "hot:3", data: { nonce: 3 } };
    for (const other of [
      payment,
      { ...payment, txId: null },
      { ...plain, data: undefined },
      { ...payment, key: "hot:5" },
    ])
      expect(await replaceable(plain, other)).toBeUndefined();
    // The chain takes the lower one first.
    const next = { ...plain, txId: "c", key: "hot:4", data: { nonce: 4 } };
    expect(await replaceable(next, plain)).toEqual([handle]);
    await database.pool.query("update unknown_payments set decision = null, decided_at = null where tx_id = 'a'");
    expect(await replaceable(plain)).toBeUndefined();
  });

  it("is replaceable over its coins where the network has no nonces, until we have made another one over them", async () => {
    const coins = (...keys: string[]) => ({ keys, data: { raw: keys.join() } });
    const one = { txId: "a", height: null, isToOurselves: true, spends: coins("x:0", "y:1") };
    const two = { txId: "b", height: null, isToOurselves: true, spends: coins("z:0") };
    expect(await show(one, one, two)).toMatchObject({ waiting: ["a", "b"], replaceable: [one.spends, two.spends] });
    await database.pool.query(`
      with made as (insert into payouts (purpose, network, slug, to_address, amount, state, created_at)
        values ('consolidation', 'ETH', 'eth', 'hot', 1, 'intended', now()) returning id)
      insert into payout_handles (network, key, payout_id, data) select 'ETH', key, id, '{}' from made, unnest(array['x:0', 'y:1']) key`);
    expect(await show(one, two)).toMatchObject({ waiting: ["b"], replaceable: [two.spends] });
  });

  it("is undecided where one of several nodes shows it otherwise, or the block that has it", async () => {
    const plain = { height: null, isToOurselves: true };
    expect((await show({ ...plain, txId: "a" }, { txId: "a", height: null }, { ...plain, txId: "b" })).unknown).toEqual(
      ["a"],
    );
    await mine("b", false);
    expect(await decisions()).toEqual([
      { tx_id: "a", decision: null, height: null },
      { tx_id: "b", decision: null, height: 7 },
    ]);
  });

  it("stays what an operator has said of it", async () => {
    await show({ txId: "a", height: null });
    await database.pool.query("update unknown_payments set decision = 'not ours', decided_at = now()");
    await mine("a", true);
    expect(await decisions()).toEqual([{ tx_id: "a", decision: "not ours", height: 7 }]);
  });
});
