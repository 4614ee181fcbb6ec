import { expect, test } from "vitest";
import * as z from "zod";
import { toMinor } from "#contract/money.ts";
import { freshDatabase } from "../../tests/support/database.ts";
import { createTestEngine, orderBody } from "../../tests/support/test-engine.ts";
import { FakeChain } from "../../tests/support/fake-chain.ts";
import { createLog } from "../base/log.ts";

const lineSchema = z.object({ msg: z.string(), wait: z.string().optional() });
const HALF_ETH = 5n * 10n ** 17n;

test("what an order waits for is logged when that changes, not with every block", async () => {
  await using database = await freshDatabase();
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
  const waits = () => lines.flatMap((line) => lineSchema.parse(JSON.parse(line)).wait ?? []);

  const order = await testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await mine();
  expect(waits()).toEqual(["under_minimum"]);

  chain.deposit(order.depositAddress, "eth", 4n * HALF_ETH);
  await mine();
  expect(waits()).toEqual(["under_minimum", "over_maximum"]);
});
