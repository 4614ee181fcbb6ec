import { afterEach, beforeEach, expect, it } from "vitest";
import { Registry } from "prom-client";
import { freshDatabase, type TestDatabase } from "../../../../tests/support/database/database.ts";
import { makeDue } from "../../../../tests/support/database/due-rows.ts";
import { FakeChain } from "../../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../../tests/support/scenarios/test-engine.ts";
import { FeesOverCapError } from "../../../chains/port.ts";
import { measureExchange } from "../../../exchange-metrics.ts";
import { listHeld } from "../../operator/held.ts";

const HALF_ETH = 5n * 10n ** 17n;
let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  await testEngine.settle();
});
afterEach(() => database.drop());

const blocks = async (count: number) => {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await testEngine.settle();
  }
};
const held = async () => (await listHeld(database)).map(({ reason, details }) => [reason, details[0]?.text]);
const stuckMetric = async () => {
  const registry = new Registry();
  measureExchange(registry, database, () => new Map());
  return (await registry.metrics()).split("\n").filter((line) => line.startsWith("payments_stuck{"));
};

it("a payment that waits for fees within the caps is listed, delays nothing, and goes on when fees fall", async () => {
  chain.failing.set("destination", new FeesOverCapError("gas costs more than the cap"));
  const client = { key: "c", traceId: "t" };
  const order = await testEngine.engine.orderService.create(orderBody(), client);
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await blocks(5);
  expect(await held()).toEqual([["network_fees_over_cap", "not signed yet: the payout of"]]);
  expect(await stuckMetric()).toEqual(['payments_stuck{network="ETH",reason="network_fees_over_cap"} 1']);
  expect(await database.kysely.selectFrom("payout_handles").selectAll().execute()).toEqual([]);

  const other = await testEngine.engine.orderService.create(orderBody({ destinationAddress: "another" }), client);
  chain.deposit(other.depositAddress, "eth", HALF_ETH);
  await blocks(5);
  expect(chain.received("another", "usdt-erc20")).toHaveLength(1);
  expect(chain.received("destination", "usdt-erc20")).toEqual([]);

  chain.failing.clear();
  await blocks(1);
  expect(await held()).toEqual([]);
  expect(await stuckMetric()).toEqual([]);
  await blocks(4);
  expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
});
