import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { loadCatalogue } from "../../catalogue/index.ts";
import { createLog } from "../../base/logging/log.ts";
import { createPayoutTimes, mediansByNetwork } from "./payout-times.ts";

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let now = new Date();

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  now = new Date("2026-03-01T12:00:00Z");
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, now: () => now });
  await testEngine.settle();
});
afterEach(() => database.drop());

const service = () => testEngine.engine.orderService;
const create = () => service().create(orderBody(), { key: "c", traceId: "t" });
const mine = async (seconds = 0) => {
  now = new Date(now.getTime() + seconds * 1_000);
  chain.mine();
  await testEngine.settle();
};

it("an order says in how many seconds its coins arrive: less with each block, and nothing once they did", async () => {
  const order = await create();
  const left = async () => (await service().info(order.orderId, order.destinationAddress)).estimatedSeconds;
  // Three blocks of Ethereum's 12 s for the deposit, one for the payout.
  expect(order.estimatedSeconds).toBe(48);
  chain.deposit(order.depositAddress, "eth", 5n * 10n ** 17n);
  const seen: (number | null)[] = [];
  for (let mined = 0; mined < 8; mined += 1) {
    await mine();
    seen.push(await left());
  }
  expect([...new Set(seen)]).toEqual([36, 24, 12, null]);
});

it("the payouts of the last orders are measured, once there are enough of them", async () => {
  const catalogue = await loadCatalogue();
  let changes = 0;
  let elapsedMs = 0;
  const times = createPayoutTimes({
    database,
    catalogue,
    log: createLog({ level: "silent" }),
    onChange: () => (changes += 1),
    now: () => elapsedMs,
  });
  for (let done = 0; done < 5; done += 1) {
    expect(times.seconds("ETH")).toBeNull();
    const { depositAddress } = await create();
    chain.deposit(depositAddress, "eth", 5n * 10n ** 17n);
    for (let mined = 0; mined < 8; mined += 1) await mine(7);
    await times.refresh();
  }
  const measured = times.seconds("ETH");
  expect(measured).toBeGreaterThan(0);
  expect(measured && measured % 7).toBe(0);
  expect(changes).toBe(1);
  // Not read again by the question alone before a minute is over.
  await database.kysely.updateTable("orders").set({ completed_at: null }).execute();
  elapsedMs = 59_000;
  expect(times.seconds("ETH")).toBe(measured);
  await times.refresh();
  expect(times.seconds("ETH")).toBeNull();
});

it("the median of each network, without those that have too few", async () => {
  const { instruments } = await loadCatalogue();
  const of = (slug: string, ...seconds: number[]) => seconds.map((each) => ({ slug, seconds: each }));
  const durations = [
    ...of("eth", 9, 1, 500),
    ...of("usdt-erc20", 3, 4),
    ...of("btc", 1, 1, 1, 1),
    ...of("gone", 1, 1, 1, 1, 1),
  ];
  expect(mediansByNetwork(durations, { instruments })).toEqual(new Map([["ETH", 4]]));
});
