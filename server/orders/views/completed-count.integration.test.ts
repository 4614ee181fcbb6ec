import { DAY_MS } from "#contract/durations.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let skippedMs = 0;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  skippedMs = 0;
  const now = () => new Date(Date.now() + skippedMs);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, now });
  await testEngine.settle();
});
afterEach(() => database.drop());

const complete = async () => {
  const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
  chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
  for (let mined = 0; mined < 8; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
const total = async () => (await testEngine.engine.orderService.stats()).ordersTotal;
const stored = async () =>
  (await database.kysely.selectFrom("completed_orders").select("count").executeTakeFirstOrThrow()).count;

it("the public number of orders is the same before and after they are counted, by several workers at once too", async () => {
  await complete();
  await testEngine.engine.countCompletedOrders();
  expect([await total(), await stored()]).toEqual([1, 0n]);
  skippedMs = 2 * DAY_MS;
  await complete();
  await Promise.all(Array.from({ length: 5 }, () => testEngine.engine.countCompletedOrders()));
  expect([await total(), await stored()]).toEqual([2, 1n]);
  skippedMs = 4 * DAY_MS;
  await testEngine.engine.countCompletedOrders();
  expect([await total(), await stored()]).toEqual([2, 2n]);
  expect(await database.kysely.selectFrom("completed_pairs").selectAll().execute()).toEqual([
    { from_slug: "eth", to_slug: "usdt-erc20", count: 2n, last_completed_at: expect.any(Date) },
  ]);
});
