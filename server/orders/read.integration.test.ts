import { expect, it } from "vitest";
import { freshDatabase } from "../../tests/support/database.ts";
import { createTestEngine, orderBody } from "../../tests/support/test-engine.ts";
import { FakeChain } from "../../tests/support/fake-chain.ts";

it("shows an order as one moment has it, also when it moves on between two reads", async () => {
  await using database = await freshDatabase({ max: 2 });
  const chain = new FakeChain();
  const { engine } = await createTestEngine({ database, reader: chain, wallet: chain });
  const { orderId } = await engine.orderService.create(orderBody(), { key: "a", traceId: "t" });

  // What a reader sees who took the order's row just before another process appended to its events.
  await database.kysely
    .insertInto("order_events")
    .values({ order_id: orderId, seq: 2, kind: "RATE_MODE_CHANGED", data: JSON.stringify({}), at: new Date() })
    .execute();

  const order = await engine.orderService.info(orderId, "destination");
  expect(order.orderEvents.map(({ kind }) => kind)).toEqual(["CREATION_END"]);
  expect(order.status).toBe("CREATION_END");
});
