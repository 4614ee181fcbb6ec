import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { createLog } from "../../base/logging/log.ts";
import { networksInUse, watchActivity } from "./network-activity.ts";

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let time = 0;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
  time = 0;
  const now = () => new Date(Date.now() + time);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, now });
  await testEngine.settle();
});
afterEach(() => database.drop());

const create = () => testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });

it("uses a network from an order's creation until its payment is final", async () => {
  expect(await networksInUse(database)).toEqual(new Set());
  const order = await create();
  expect(await networksInUse(database)).toEqual(new Set(["ETH"]));
  chain.deposit(order.depositAddress, "eth", 5n * 10n ** 17n);
  for (let mined = 0; mined < 40; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
  const payouts = await database.kysely.selectFrom("payouts").select("state").execute();
  expect(payouts).toEqual([{ state: "final" }]);
  expect(await networksInUse(database)).toEqual(new Set());
});

it("does not use the network of an order that expired", async () => {
  await create();
  time = 365 * 86_400_000;
  await testEngine.engine.expireOrders();
  expect(await networksInUse(database)).toEqual(new Set());
});

it("says when somebody begins to wait, once it is woken", async () => {
  const log = createLog({ level: "silent" });
  const activity = watchActivity({ database, networks: ["ETH", "BTC"], log });
  onTestFinished(() => activity.stop());
  expect(activity.isInUse("BTC"), "as long as nothing is known").toBe(true);
  await eventually("the rows are read", () => !activity.isInUse("ETH") || null);
  const begun: string[] = [];
  activity.onBegin((network) => begun.push(network));
  await create();
  activity.wake();
  await eventually("the order is seen", () => activity.isInUse("ETH") || null, 5_000);
  expect([begun, activity.isInUse("BTC")]).toEqual([["ETH"], false]);
  activity.wakeAll();
  expect(activity.isInUse("BTC")).toBe(true);
  expect(begun).toEqual(["ETH", "ETH", "BTC"]);
});
