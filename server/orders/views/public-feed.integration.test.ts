import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { PUBLIC_FEED } from "./public-feed.ts";

const BATCH = { ...PUBLIC_FEED, freshMs: 0 };
/** The beginning of ten minutes, and a moment in minutes, seconds and milliseconds after it. */
const beginning = Math.floor(Date.now() / 600_000) * 600_000;
const after = (minutes: number, seconds = 0, ms = 0) => new Date(beginning + (minutes * 60 + seconds) * 1_000 + ms);
let database: TestDatabase;
let chain: FakeChain;
let at: Date;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  at = after(4, 56, 789);
});
afterEach(() => database.drop());

async function open(publicFeed = PUBLIC_FEED): Promise<TestEngine> {
  const testEngine = await createTestEngine({ database, reader: chain, wallet: chain, now: () => at, publicFeed });
  await testEngine.settle();
  return testEngine;
}

async function complete({ engine, settle }: TestEngine): Promise<void> {
  const { depositAddress } = await engine.orderService.create(orderBody(), { key: "a", traceId: "t" });
  chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
  for (let mined = 0; mined < 4; mined += 1) {
    chain.mine();
    await settle();
  }
}

it("shows an exchange together with all others of its ten minutes, ten minutes later", async () => {
  const testEngine = await open(BATCH);
  const { latest, stats } = testEngine.engine.orderService;
  await complete(testEngine);
  for (const moment of [after(4, 56, 789), after(10), after(19, 59, 999)]) {
    at = moment;
    expect(await latest()).toEqual([]);
    expect(await stats()).toMatchObject({
      ordersTotal: null,
      orders24h: null,
      medianSeconds: null,
      completedShare: null,
    });
  }
  at = after(20);
  expect(await latest()).toMatchObject([{ completedAt: after(4).toISOString() }]);
  expect(await stats()).toMatchObject({ ordersTotal: 1, orders24h: 1, medianSeconds: 60, completedShare: 1 });
});

it("is read once, by one query each, for all who ask until the next batch", async () => {
  const { engine } = await open(BATCH);
  const read = vi.spyOn(database.pool, "connect");
  const { latest, stats } = engine.orderService;
  const askAll = () => Promise.all(Array.from({ length: 100 }, () => [latest(), stats()]).flat());
  await askAll();
  await askAll();
  expect(read).toHaveBeenCalledTimes(2);
  at = after(10);
  await askAll();
  expect(read).toHaveBeenCalledTimes(4);
});
