import { expect, test } from "vitest";
import * as z from "zod";
import { CodedError } from "#contract/errors.ts";
import { toMinor } from "#contract/money.ts";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createLog } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";

const lineSchema = z.object({ msg: z.string(), wait: z.string().optional() });
const HALF_ETH = 5n * 10n ** 17n;

/** An engine whose orders take from 1 to 1.5 ETH, and an order of it that waits for a top-up. */
async function startWaitingOrder(database: Database) {
  const lines: string[] = [];
  const log = createLog({ level: "warn", destination: { write: (line: string) => void lines.push(line) } });
  const chain = new FakeChain();
  chain.mine(2);
  const testEngine = await createTestEngine({ database, reader: chain, wallet: chain, log });
  await testEngine.settle();
  const priceClaim = testEngine.rates.priceClaim.bind(testEngine.rates);
  testEngine.rates.priceClaim = async (given) => {
    const priced = await priceClaim(given);
    return { ...priced, bounds: { min: toMinor(2n * HALF_ETH), max: toMinor(3n * HALF_ETH) } };
  };
  const mine = async () => {
    for (let block = 0; block < 5; block += 1) {
      chain.mine();
      await database.kysely
        .updateTable("orders")
        .set({ next_attempt_at: new Date(0) })
        .execute();
      await testEngine.settle();
    }
  };
  const logged = () => lines.map((line) => lineSchema.parse(JSON.parse(line)));
  const waits = () => logged().flatMap(({ wait }) => wait ?? []);
  const storedWait = async () => {
    const row = await database.kysely.selectFrom("orders").select("waiting_for").executeTakeFirstOrThrow();
    return row.waiting_for;
  };

  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await mine();
  return { chain, testEngine, order, mine, logged, waits, storedWait };
}

test("what an order waits for is logged when that changes, not with every block", async () => {
  await using database = await freshDatabase();
  const { chain, order, mine, waits, logged } = await startWaitingOrder(database);
  expect(waits()).toEqual(["under_minimum"]);
  expect(logged().find(({ wait }) => wait !== undefined)?.msg).toBe("the order waits");

  chain.deposit(order.depositAddress, "eth", 4n * HALF_ETH);
  await mine();
  expect(waits()).toEqual(["under_minimum", "over_maximum"]);
});

test("quoting a refund leaves the order's wait as it is", async () => {
  await using database = await freshDatabase();
  const { testEngine, order, mine, waits, storedWait } = await startWaitingOrder(database);
  await testEngine.engine.orderService.refundInfo(order.orderId);
  expect(await storedWait()).toBe("under_minimum");
  await mine();
  expect(waits()).toEqual(["under_minimum"]);
});

test("a time without prices leaves the order's wait as it is", async () => {
  await using database = await freshDatabase();
  const { testEngine, mine, waits, storedWait } = await startWaitingOrder(database);
  const snapshot = testEngine.rates.snapshot.bind(testEngine.rates);
  testEngine.rates.snapshot = () => {
    throw new CodedError("ERR_SERVICE_UNAVAILABLE", "no price");
  };
  await mine();
  expect(await storedWait()).toBe("under_minimum");
  testEngine.rates.snapshot = snapshot;
  await mine();
  expect(waits()).toEqual(["under_minimum"]);
});

test("an order whose deposit a reorganisation took waits for nothing", async () => {
  await using database = await freshDatabase();
  const { mine, storedWait } = await startWaitingOrder(database);
  await database.kysely.updateTable("deposits").set({ block_height: null, block_hash: null }).execute();
  await mine();
  expect(await storedWait()).toBeNull();
});

test("an error that is no missing price is not taken for one", async () => {
  await using database = await freshDatabase();
  const { testEngine, order } = await startWaitingOrder(database);
  testEngine.rates.snapshot = () => {
    throw new TypeError("a defect");
  };
  const accept = { orderId: order.orderId, destinationAddress: order.destinationAddress };
  await expect(testEngine.engine.orderService.acceptRateModeChange(accept)).rejects.toThrow("a defect");
});
