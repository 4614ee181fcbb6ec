import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import type { RecentPayment } from "../port.ts";
import { storeRecentPayments } from "./unknown-payments.ts";

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
    waiting: ["hot:3"],
  });
  const { rows } = await database.pool.query("select tx_id, pays from unknown_payments order by tx_id");
  expect(rows).toEqual([
    { tx_id: "a", pays: [{ to: "somebody", slug: "eth", amount: "5" }] },
    { tx_id: "b", pays: null },
  ]);
});
