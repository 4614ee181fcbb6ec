import { DAY_MS } from "#contract/durations.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { PUBLIC_FEED } from "./public-feed.ts";

const PAIR = { from: "eth", to: "usdt-erc20" };
const beginning = Math.floor(Date.now() / 600_000) * 600_000;
let database: TestDatabase;
let chain: FakeChain;
let at: Date;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  at = new Date(beginning + 60_000);
});
afterEach(() => database.drop());

async function open(publicFeed = { freshMs: 0, batchMs: 0 }): Promise<TestEngine> {
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

/** The one order so many times more, each a minute earlier. */
const repeat = (times: number) =>
  database.pool.query(
    `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', lpad(i::text, 22, '0'), 'reference', 'R' || i,
       'completed_at', o.completed_at - make_interval(mins => i)))).* from orders o, generate_series(1, $1) i`,
    [times],
  );

it("shows the last exchanges of the pair alone, and how they went once there are enough", async () => {
  const testEngine = await open();
  const { pairActivity } = testEngine.engine.orderService;
  await complete(testEngine);
  expect(await pairActivity(PAIR)).toMatchObject({
    isAskedFor: false,
    latest: [{ amountFrom: "0.5", completedAt: at.toISOString() }],
    statistics: null,
  });
  expect(await pairActivity({ from: PAIR.to, to: PAIR.from })).toMatchObject({ latest: [], statistics: null });
  await repeat(24);
  const { latest, statistics } = await pairActivity(PAIR);
  expect(latest.map(({ completedAt }) => completedAt)).toEqual(
    [0, 1, 2, 3, 4].map((minutes) => new Date(at.getTime() - minutes * 60_000).toISOString()),
  );
  expect(statistics).toMatchObject({ exchanges: 25, delivered: { exchanges: 25 } });
  at = new Date(at.getTime() + 31 * DAY_MS);
  expect(await pairActivity(PAIR)).toMatchObject({ latest: [], statistics: null });
});

it("a pair is asked for once enough of its exchanges are a day old", async () => {
  const testEngine = await open();
  const { askedPairs, pairActivity } = testEngine.engine.orderService;
  await complete(testEngine);
  await repeat(3);
  at = new Date(at.getTime() + 2 * DAY_MS);
  await testEngine.engine.countCompletedOrders();
  expect([await askedPairs(), (await pairActivity(PAIR)).isAskedFor]).toEqual([[], false]);
  await complete(testEngine);
  const last = at.toISOString();
  at = new Date(at.getTime() + 2 * DAY_MS);
  await testEngine.engine.countCompletedOrders();
  expect([await askedPairs(), (await pairActivity(PAIR)).isAskedFor]).toEqual([[{ ...PAIR, lastAt: last }], true]);
});

it("shows an exchange when all others of its ten minutes are shown, and reads a pair once until then", async () => {
  const testEngine = await open({ ...PUBLIC_FEED, freshMs: 0 });
  const { pairActivity } = testEngine.engine.orderService;
  await complete(testEngine);
  at = new Date(beginning + 19 * 60_000);
  expect((await pairActivity(PAIR)).latest).toEqual([]);
  const read = vi.spyOn(database.pool, "connect");
  await Promise.all(Array.from({ length: 50 }, () => pairActivity(PAIR)));
  expect(read).not.toHaveBeenCalled();
  at = new Date(beginning + 20 * 60_000);
  expect((await pairActivity(PAIR)).latest).toHaveLength(1);
});
